-- Channels that get no new transactions until their row is deleted.
create table paused_channels (
  channel text primary key,
  operator_id text not null references operators (id),
  paused_at bigint not null,
  -- The operator's own words; null where none were given.
  reason text
);

-- The operator who has stopped it; null if a 410 has.
alter table stopped_urls add column operator_id text references operators (id);
