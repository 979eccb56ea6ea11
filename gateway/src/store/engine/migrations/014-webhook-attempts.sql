-- Each attempt to deliver a webhook. Only gateways with a sandbox keep them.
create table webhook_attempts (
  event_id text not null references events (id) on delete cascade,
  number bigint not null,
  -- The merchant's time.
  attempted_at bigint not null,
  duration_ms bigint not null,
  -- JSON.
  request_headers text not null,
  status bigint,
  response_body text,
  error text,
  fault text,
  primary key (event_id, number)
);

-- A row with it sends that event once more, and is deleted afterwards.
alter table events add column resend_of text;
create index events_resent on events (resend_of) where resend_of is not null;
-- Ids of the sandbox's rules that affect it, separated by spaces, once they have been selected.
alter table events add column fault_rules text;

-- A merchant's events by their time, all of them and those that were given up.
create index events_of_merchant on events (merchant_id, id) where resend_of is null;
create index events_given_up on events (merchant_id, id) where next_at is null and delivered_at is null;

-- Time at which the merchant was deleted with all that belonged to it. The row stays, so that its number is never used
-- again.
alter table merchants add column deleted_at bigint;
