-- The state of the fleet, beside the tables of procrastinate, which stand in the same schema.
-- Everything here may be run again and again.

create table if not exists repositories (
    repo_id text primary key,
    source text not null,
    location text not null,
    branch text not null default '',
    patterns text[] not null default '{}',
    parent text references repositories on delete cascade,
    schedule text not null,
    state text not null default 'waiting'
        check (state in ('waiting', 'indexed', 'failing', 'unreachable', 'quarantined')),
    reason text not null default '',
    failures integer not null default 0,
    losses integer not null default 0,
    commit_id text not null default '',
    stamp text not null default '',
    indexed timestamptz,
    checked timestamptz,
    due timestamptz default now(),
    added timestamptz not null default now()
);
create index if not exists repositories_due on repositories (due) where due is not null;
create index if not exists repositories_location on repositories (location);
create index if not exists repositories_parent on repositories (parent) where parent is not null;

create table if not exists runs (
    run_id bigint generated always as identity primary key,
    repo_id text not null references repositories on delete cascade,
    job_id bigint not null,
    worker text not null,
    started timestamptz not null default now(),
    beat timestamptz not null default now(),
    ended timestamptz,
    stage text not null default 'look',
    done bigint not null default 0,
    total bigint not null default 0,
    outcome text check (
        outcome in ('indexed', 'unchanged', 'failed', 'unreachable', 'postponed', 'given back', 'lost')
    ),
    error text not null default '',
    commit_id text not null default '',
    files bigint,
    chunks bigint,
    fetch_seconds real,
    index_seconds real,
    publish_seconds real,
    peak_bytes bigint
);
-- A repository is indexed by one worker at a time.
create unique index if not exists runs_open on runs (repo_id) where ended is null;
create index if not exists runs_repository on runs (repo_id, run_id);
create index if not exists runs_ended on runs (ended);

create or replace view status as
select
    repositories.repo_id,
    case when open_run.run_id is not null then 'running' else state end as state,
    coalesce(open_run.stage, '') as stage,
    repositories.commit_id,
    repositories.indexed,
    repositories.checked,
    repositories.due,
    reason,
    repositories.failures,
    source,
    branch,
    schedule
from repositories
left join runs as open_run on open_run.repo_id = repositories.repo_id and open_run.ended is null
order by repositories.repo_id;

create or replace view history as
select
    repo_id,
    started,
    extract(epoch from coalesce(ended, beat) - started) as seconds,
    coalesce(outcome, 'running') as outcome,
    error,
    commit_id,
    files,
    chunks,
    fetch_seconds,
    index_seconds,
    publish_seconds,
    peak_bytes,
    worker
from runs
order by run_id desc;

create or replace view queue as
select status::text as state, count(*) as jobs, min(id) as oldest_job
from procrastinate_jobs
where task_name = 'cgi.index'
group by status;

create or replace view throughput as
select
    date_trunc('hour', ended) as hour,
    count(*) filter (where outcome = 'indexed') as indexed,
    count(*) filter (where outcome = 'unchanged') as unchanged,
    count(*) filter (where outcome not in ('indexed', 'unchanged')) as unfinished,
    coalesce(sum(chunks) filter (where outcome = 'indexed'), 0) as chunks
from runs
where ended is not null
group by 1
order by 1 desc;
