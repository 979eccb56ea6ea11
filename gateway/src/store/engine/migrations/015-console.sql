-- Access to the console: links that open it once, and the sessions that they have begun. Each ends with the API key
-- that it was made with.
create table console_access (
  -- SHA-256 of the token: it is random enough that a plain hash cannot be guessed back.
  hash text primary key,
  kind text not null check (kind in ('link', 'session')),
  key_id text not null references api_keys (id) on delete cascade,
  expires_at bigint not null
);
create index console_access_of_key on console_access (key_id);
