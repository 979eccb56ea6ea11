-- Databases that transactions have been moved to. In such a database, the only row is its own.
create table archives (
  id text primary key,
  -- Its location when it was last used, for people.
  name text not null,
  created_at bigint not null,
  is_self bigint not null check (is_self in (0, 1)),
  -- 1 while transactions may have been copied to it that are not deleted yet.
  is_unfinished bigint not null check (is_unfinished in (0, 1))
);
create unique index archives_self on archives (is_self) where is_self = 1;

-- Order ids of archived transactions, which stay taken.
create table archived_orders (
  merchant_id bigint not null references merchants (id),
  kind text not null,
  order_id text not null,
  transaction_id text not null unique,
  archive_id text not null references archives (id),
  archived_at bigint not null,
  primary key (merchant_id, kind, order_id)
);

-- Sums of the entries that are in an archive, so that wallets remain the sum of all entries. In an archive itself, the
-- accounts are the other way around: there, wallets are empty.
create table carried_forward (
  archive_id text not null references archives (id),
  merchant_id bigint not null references merchants (id),
  currency text not null,
  reason text not null,
  from_account text not null,
  to_account text not null,
  entries bigint not null check (entries > 0),
  amount bigint not null check (amount > 0),
  primary key (archive_id, merchant_id, currency, reason, from_account, to_account)
);
