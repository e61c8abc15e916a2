-- A sketch of the index in PostgreSQL, for the contract tests. It has the tables and columns of sqlite.sql.
-- The database has the locale C, so that texts sort by their bytes and case means ASCII letters, as in SQLite.

create table meta (key text primary key, value text not null);

-- Raised by each commit: it stands for the stamp of an index file.
create table revision (number bigint not null);
insert into revision values (0);

create table files (
    id bigint primary key,
    path text not null unique,
    repo_id text not null,
    language text,
    source_type text not null,
    size bigint not null,
    lines bigint not null,
    encoding text not null,
    module text not null,
    content_hash bytea not null,
    is_test boolean not null,
    is_example boolean not null,
    is_generated boolean not null,
    is_vendored boolean not null,
    is_broken boolean not null,
    error text
);

create table contents (
    file_id bigint primary key references files (id) on delete cascade,
    text bytea not null,
    lookups bytea not null
);

create table changed_together (path text, partner text, commits integer not null, primary key (path, partner));
create table history (path text primary key, last_commit bigint not null, authors integer not null);

create table tags (name text primary key, committed bigint not null);

create table chunks (
    id bigint primary key,
    file_id bigint not null references files (id) on delete cascade,
    parent_id bigint references chunks (id) deferrable initially deferred,
    position integer not null,
    kind text not null,
    name text not null,
    qualified_name text not null,
    signature text not null,
    doc text not null,
    start_byte bigint not null,
    end_byte bigint not null,
    start_line bigint not null,
    end_line bigint not null,
    name_line bigint not null,
    def_end_line bigint not null,
    has_body boolean not null,
    content_hash bytea not null
);
create index on chunks (file_id, position);
create index on chunks (lower(name)) where name != '';
create index on chunks (parent_id);

create table members (
    id bigint generated always as identity primary key,
    chunk_id bigint not null references chunks (id) on delete cascade,
    kind text not null,
    name text not null,
    qualified_name text not null,
    signature text not null,
    doc text not null,
    line bigint not null,
    end_line bigint not null,
    has_body boolean not null
);
create index on members (lower(name));
create index on members (chunk_id);

create table refs (
    source_id bigint not null references chunks (id) on delete cascade,
    ordinal integer not null,
    kind text not null,
    name text not null,
    receiver text not null,
    line bigint not null,
    "column" bigint not null,
    target_id bigint,
    confidence double precision,
    ambiguous boolean not null,
    origin text,
    primary key (source_id, ordinal)
);
create index on refs (target_id) where target_id is not null;
create index on refs (name) where target_id is null;

create table candidates (
    source_id bigint not null,
    ordinal integer not null,
    chunk_id bigint not null,
    primary key (source_id, ordinal, chunk_id),
    foreign key (source_id, ordinal) references refs (source_id, ordinal) on delete cascade
);
create index on candidates (chunk_id);

-- The word fields of each chunk. A real back-end would index them.
create table words (
    chunk_id bigint primary key,
    name text not null,
    path text not null,
    signature text not null,
    doc text not null,
    body text not null
);

create table vectors (chunk_id bigint primary key, embedding bytea not null);
