-- Deliveries are looked for address by address, so that a long backlog of one address is never walked through.
create index events_by_address on events (address, next_at, id) where next_at is not null;
drop index events_due;

-- Callback URLs that have answered 410: nothing more is sent to them until a row is deleted.
create table stopped_urls (
  merchant_id bigint not null references merchants (id),
  url text not null,
  -- The event that was answered with 410.
  event_id text not null references events (id),
  stopped_at bigint not null,
  primary key (merchant_id, url)
);
