-- Deliveries are looked for lane by lane: a merchant and the scheme, host and port of a callback URL.
create index events_by_lane on events (merchant_id, address, next_at, id) where next_at is not null;
drop index events_by_address;

-- Lanes whose last attempt got no response in good time, so that a restarted process doesn't have to find out again.
create table slow_lanes (
  merchant_id bigint not null references merchants (id),
  address text not null,
  hung_at bigint not null,
  primary key (merchant_id, address)
);
create index slow_lanes_by_time on slow_lanes (hung_at);
