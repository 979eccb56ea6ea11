-- Sums that each customer has moved, by day (2026-03-02) and month (2026-03), for the limits of the methods.
-- Free space in each page keeps the versions of a row together, so that an update changes no index.
create table customer_usage (
  merchant_id bigint not null references merchants (id),
  kind text not null,
  customer_id text not null,
  currency text not null,
  period text not null,
  amount bigint not null check (amount between 0 and 9007199254740991),
  primary key (merchant_id, kind, customer_id, currency, period)
) with (fillfactor = 70);
alter table wallets set (fillfactor = 50);
-- Dead rows of these tables slow down claims, which read their indexes of due times. By default, a table with a million
-- rows is vacuumed after 200,000 dead ones.
alter table transactions set (autovacuum_vacuum_scale_factor = 0.02);
alter table events set (autovacuum_vacuum_scale_factor = 0.02);
