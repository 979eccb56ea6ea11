-- Those who run the gateway, with their keys for its operators' API.
create table operators (
  id text primary key,
  name text not null,
  -- SHA-256 of the key: it is random enough that a plain hash cannot be guessed back.
  hash text not null unique,
  hint text not null,
  created_at bigint not null,
  revoked_at bigint
);

-- The changes of operators, each written together with the change itself. Never a secret.
create table operator_changes (
  id text primary key,
  operator_id text not null references operators (id),
  changed_at bigint not null,
  action text not null,
  -- Null if it concerns several. No foreign key, since the record outlives what it is about.
  merchant_id bigint,
  subject text
);

-- The attempts to deliver a webhook, as JSON arrays of time, duration and result, separated by commas. They are beside
-- the event, since its end is written anyway, and go with it, also with its partition.
alter table events add column attempt_log text;

-- Webhooks that were given up or stopped, of all merchants.
create index events_not_delivered on events (id) where next_at is null and delivered_at is null;
