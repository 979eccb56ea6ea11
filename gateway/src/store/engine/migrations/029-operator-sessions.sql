-- Sessions of the operators' console. Each ends with the key of its operator.
create table operator_sessions (
  -- SHA-256 of the token: it is random enough that a plain hash cannot be guessed back.
  hash text primary key,
  operator_id text not null references operators (id) on delete cascade,
  expires_at bigint not null
);
