-- Whether the money of this database is real: 1 if it is live, 0 if it is for tests. There is one row, which is written
-- once; a database from before has none until its mode is decided.
create table database_mode (
  id bigint primary key check (id = 1),
  live bigint not null unique check (live in (0, 1))
);

-- Each key is of the database's mode, so no merchant has test keys and live keys. Null for keys from before, since a hash
-- doesn't tell their kind.
alter table api_keys add column live bigint references database_mode (live);
