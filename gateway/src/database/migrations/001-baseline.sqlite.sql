-- Sums that each customer has moved, by day (2026-03-02) and month (2026-03), for the limits of the methods.
-- Rows are stored in the order of the key, so a change writes one page.
create table customer_usage (
  merchant_id bigint not null references merchants (id),
  kind text not null,
  customer_id text not null,
  currency text not null,
  period text not null,
  amount bigint not null check (amount between 0 and 9007199254740991),
  primary key (merchant_id, kind, customer_id, currency, period)
) without rowid;
