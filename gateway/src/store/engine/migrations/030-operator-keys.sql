-- Keys of operators. They replace the columns hash, hint and revoked_at of operators.
create table operator_keys (
  id text primary key,
  operator_id text not null references operators (id),
  -- SHA-256 of the key: it is random enough that a plain hash cannot be guessed back.
  hash text not null unique,
  hint text not null,
  created_at bigint not null,
  -- Written at most once a minute.
  last_used_at bigint,
  revoked_at bigint
);
create index operator_keys_of_operator on operator_keys (operator_id, id);
insert into operator_keys (id, operator_id, hash, hint, created_at, revoked_at)
  select 'opk_' || substr(id, 5), id, hash, hint, created_at, revoked_at from operators where hint <> '';

-- A proposal is approved by another operator, so one person must not be two operators of the same name.
update operators set name = name || ' ' || id
  where exists (select 1 from operators o where lower(o.name) = lower(operators.name) and o.id < operators.id);
create unique index operators_name on operators (lower(name));

-- Sessions of the operators' console. Each ends with the key that it was begun with.
drop table operator_sessions;
create table operator_sessions (
  -- SHA-256 of the token: it is random enough that a plain hash cannot be guessed back.
  hash text primary key,
  key_id text not null references operator_keys (id) on delete cascade,
  expires_at bigint not null
);
