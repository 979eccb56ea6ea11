-- The rows in the order of their key: a customer's sums lie in one page, and a change writes that page alone.
create table customer_usage_by_key (
  merchant_id bigint not null references merchants (id),
  kind text not null,
  customer_id text not null,
  currency text not null,
  period text not null,
  amount bigint not null check (amount >= 0),
  primary key (merchant_id, kind, customer_id, currency, period)
) without rowid;
insert into customer_usage_by_key select merchant_id, kind, customer_id, currency, period, amount from customer_usage;
drop table customer_usage;
alter table customer_usage_by_key rename to customer_usage;
