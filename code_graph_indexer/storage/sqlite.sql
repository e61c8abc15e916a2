-- The index file. Lines are 1-based and inclusive; bytes are 0-based and half-open, in the UTF-8 text with \n line ends.

-- What the index is: schema and package versions, embedder, dimensions, settings that shaped it.
create table meta (
    key text primary key,
    value text not null
) strict, without rowid;

-- Every file found, and the folders that a built-in rule leaves out (with `/` at the end). `error` says why a file is not indexed (binary, too large, secret, data, unreadable, timeout …).
-- `secrets` is how many keys and tokens are masked in its text.
create table files (
    id integer primary key,
    path text not null unique,
    repo_id text not null,
    language text,
    source_type text not null,
    size integer not null,
    lines integer not null,
    encoding text not null,
    module text not null,
    content_hash blob not null,
    is_test integer not null,
    is_example integer not null,
    is_generated integer not null,
    is_vendored integer not null,
    is_broken integer not null,
    secrets integer not null,
    error text
) strict;

-- The text of a file, zlib-compressed.
create table contents (
    file_id integer primary key references files (id) on delete cascade,
    text blob not null
) strict;

-- The hashes of the names that the references of a file were looked up by.
create table lookups (
    file_id integer primary key references files (id) on delete cascade,
    hashes blob not null
) strict;

-- When git last saw a file change (seconds since 1970), and how many authors it had, as of the commit that meta calls `head`.
create table history (
    path text primary key,
    last_commit integer not null,
    authors integer not null
) strict, without rowid;

-- How many commits changed two files, of those commits that changed few files. Each pair stands here in both directions.
create table changed_together (
    path text not null,
    partner text not null,
    commits integer not null,
    primary key (path, partner)
) strict, without rowid;

-- Units of retrieval and nodes of the graph. A file's chunks, by position, are disjoint and cover its text.
-- parent_id is the child_of edge. A definition's name stands on name_line; with its children it ends on def_end_line.
-- has_body tells a definition from a mere declaration (a prototype, an abstract method).
-- A qualified name is stored without the name that ends it, as `scope`. Else `scope` is null without one, or a blob that holds it.
create table text_chunks (
    id integer primary key,
    file_id integer not null references files (id) on delete cascade,
    parent_id integer references text_chunks (id) deferrable initially deferred,
    position integer not null,
    kind text not null,
    name text not null,
    scope any,
    qualified_name text generated always as (case typeof(scope) when 'null' then '' when 'blob' then cast(scope as text)
        else scope || name end) virtual,
    signature text not null,
    doc text not null,
    start_byte integer not null,
    end_byte integer not null,
    start_line integer not null,
    end_line integer not null,
    name_line integer not null,
    def_end_line integer not null,
    has_body integer not null,
    content_hash blob not null
) strict;
create index text_chunks_by_file on text_chunks (file_id, position);
create index text_chunks_by_name on text_chunks (name collate nocase) where name != '';
create index text_chunks_by_parent on text_chunks (parent_id);

-- Definitions too small to be chunks: constants, fields, enum members, one-line types.
-- Their ids begin at 2^31, so that `refs.target_id` can name either. `position` counts those of a file.
create table members (
    id integer primary key,
    chunk_id integer not null references text_chunks (id) on delete cascade,
    position integer not null,
    kind text not null,
    name text not null,
    qualified_name text not null,
    signature text not null,
    doc text not null,
    line integer not null,
    end_line integer not null,
    has_body integer not null
) strict;
create index members_by_name on members (name collate nocase);
create index members_by_chunk on members (chunk_id);

-- Every reference by the chunk it stands in. Resolved: target_id is set; ambiguous then says that another overload may be meant.
-- Without a target, ambiguous: see candidates. Else unresolved.
-- column counts bytes from the start of the line; origin is null for the resolver's own, else `scip` or `framework`.
-- external_id names what an unresolved one means outside the repository, and confidence then says how sure that is.
-- There are more rows here than anywhere else, so kind and confidence are kept as small numbers: 0 and 1 take no byte at all.
create table refs (
    source_id integer not null references text_chunks (id) on delete cascade,
    ordinal integer not null,
    kind_code any not null,
    name text not null,
    receiver text not null,
    line integer not null,
    column integer not null,
    target_id integer,
    confidence_code any,
    ambiguous integer not null,
    origin text,
    external_id integer,
    kind text generated always as (case kind_code when 0 then 'calls' when 1 then 'imports' when 2 then 'references'
        when 3 then 'inherits' when 4 then 'overrides' when 5 then 'declares' when 6 then 'reads' when 7 then 'writes'
        when 8 then 'types' else kind_code end) virtual,
    confidence real generated always as (iif(typeof(confidence_code) = 'integer', confidence_code / 100.0, confidence_code))
        virtual,
    primary key (source_id, ordinal)
) strict, without rowid;
create index refs_by_target on refs (target_id) where target_id is not null;
create index refs_by_open_name on refs (name, external_id) where target_id is null;
create index refs_open_imports on refs (source_id) where kind = 'imports' and target_id is null;

-- Names outside the repository that references mean: `Session.get` in a module of another package.
create table externals (
    id integer primary key,
    module_id integer not null,
    name text not null
) strict;

-- The modules that they stand in, as imports write them. An empty one is what the language itself has.
-- `package` is the one that a manifest declares and the module belongs to, else the start of the module. `version` is that of a
-- lock file, else empty.
create table external_modules (
    id integer primary key,
    ecosystem text not null,
    module text not null,
    package text not null,
    version text not null
) strict;

create table candidates (
    source_id integer not null,
    ordinal integer not null,
    chunk_id integer not null,
    primary key (source_id, ordinal, chunk_id),
    foreign key (source_id, ordinal) references refs (source_id, ordinal) on delete cascade
) strict, without rowid;
create index candidates_by_chunk on candidates (chunk_id);

-- Where a framework learns of code that it calls: routes, commands, tasks, listeners, fixtures, and the routers that carry routes.
-- target_id is the handler's chunk, or the chunk of the file or function whose router is mounted under the prefix `name`.
create table registrations (
    source_id integer not null references text_chunks (id) on delete cascade,
    ordinal integer not null,
    framework text not null,
    kind text not null,
    verb text not null,
    name text not null,
    router text not null,
    line integer not null,
    target_id integer,
    target_name text not null,
    primary key (source_id, ordinal)
) strict, without rowid;

-- Code-aware words of each chunk (rowid = chunks.id), split before they come here; stemmed by `porter`.
-- FTS5 writes the number of a column before its words, but not for the first: that is the one with the most words.
create virtual table words using fts5 (
    body, name, path, signature, doc,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Trigrams of the distinct tokens of each file (rowid = files.id): MATCH those joined by AND, then verify in the text.
create virtual table trigrams using fts5 (
    body, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

-- What a language model wrote of definitions (`cgi describe`), by the hash of a content in text_chunks: one sentence for each.
-- A sentence outlives an update that removes its content, because a branch may bring that back.
create table sentences (
    content_hash blob primary key,
    model text not null,
    sentence text not null
) strict, without rowid;

-- The words of the descriptions (rowid = chunks.id), as those of `words`.
create virtual table described using fts5 (
    body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- The vectors of 1,024 chunk ids, if the index has an embedder. Row `block` begins with the id 1024 * block. They are rotated, and
-- the largest component of each is 31. `signs` has a row of bits for each vector, by which a search chooses those that it reads:
-- 1 for a positive component, and no bit without a vector. `steps` has half a byte s for the size 2 * s + 1 of each component.
create table vectors (
    block integer primary key,
    signs blob not null,
    steps blob not null
) strict;

-- Every node of the graph: the chunks with a text, and the definitions that are too small for one.
create view chunks as
select id, file_id, parent_id, position, kind, name, qualified_name, signature, doc, start_byte, end_byte, start_line, end_line,
    name_line, def_end_line, has_body
from text_chunks
union all
select m.id, c.file_id, m.chunk_id, null, m.kind, m.name, m.qualified_name, m.signature, m.doc, null, null, m.line, m.end_line,
    m.line, m.end_line, m.has_body
from members as m
join text_chunks as c on c.id = m.chunk_id;

-- For people: every definition by name.
create view symbols as
select c.id as chunk_id, c.kind, c.name, c.qualified_name, c.signature, c.doc, f.path, c.name_line as start_line,
    c.def_end_line as end_line, f.language, f.is_test
from text_chunks as c
join files as f on f.id = c.file_id
where c.kind not in ('block', 'text', 'module', 'section') or (c.kind = 'module' and c.signature != '')
union all
select m.chunk_id, m.kind, m.name, m.qualified_name, m.signature, m.doc, f.path, m.line, m.end_line, f.language, f.is_test
from members as m
join text_chunks as c on c.id = m.chunk_id
join files as f on f.id = c.file_id;

-- For people: what a language model says that definitions do. No source says it.
create view descriptions as
select c.id as chunk_id, s.model, s.sentence
from text_chunks as c
join sentences as s on s.content_hash = c.content_hash;

-- Every edge of the graph; several references between the same ends are several edges, told apart by line.
create view edges as
select source_id, target_id, kind, line, confidence, coalesce(origin, 'resolver') as origin
from refs
where target_id is not null
union all
select id, parent_id, 'child_of', start_line, 1.0, 'resolver'
from text_chunks
where parent_id is not null;

-- Who calls what, by name.
create view callers as
select callee.qualified_name as callee, callee_file.path as callee_path, caller.qualified_name as caller,
    caller_file.path as path, r.line, r.confidence
from refs as r
join text_chunks as callee on callee.id = r.target_id
join files as callee_file on callee_file.id = callee.file_id
join text_chunks as caller on caller.id = r.source_id
join files as caller_file on caller_file.id = caller.file_id
where r.kind = 'calls';

-- Every use of every definition: its calls, reads and writes, and where it is named as a type, imported or inherited from.
create view uses as
select r.kind, r.name, f.path, r.line, r.column, r.confidence, s.qualified_name as source,
    coalesce(m.qualified_name, t.qualified_name) as target, g.path as target_path,
    coalesce(m.line, t.name_line) as target_line, coalesce(m.kind, t.kind) as target_kind
from refs as r
join text_chunks as s on s.id = r.source_id
join files as f on f.id = s.file_id
left join members as m on m.id = r.target_id
join text_chunks as t on t.id = coalesce(m.chunk_id, r.target_id)
join files as g on g.id = t.file_id;

-- What the index does not know: references without a target, and without a name outside the repository.
create view unresolved as
select r.name, r.receiver, r.kind, iif(r.ambiguous, 'ambiguous', 'unresolved') as fate, f.path, r.line
from refs as r
join text_chunks as c on c.id = r.source_id
join files as f on f.id = c.file_id
where r.target_id is null and r.external_id is null;

-- References that lead out of the repository: to what, in which package, and how sure that is.
create view external as
select r.kind, m.ecosystem, m.package, m.version, m.module, e.name,
    m.module || iif(m.module = '' or e.name = '', '', '.') || e.name as qualified_name, r.confidence,
    c.qualified_name as source, f.path, r.line, r.column
from refs as r
join externals as e on e.id = r.external_id
join external_modules as m on m.id = e.module_id
join text_chunks as c on c.id = r.source_id
join files as f on f.id = c.file_id;

-- Files that are not indexed, with the reason.
create view skipped as
select path, size, error from files where error is not null;
