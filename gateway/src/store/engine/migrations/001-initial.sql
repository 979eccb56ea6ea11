-- Amounts are minor units, times milliseconds since 1970 in UTC.

create table merchants (
  id bigint primary key,
  name text not null,
  created_at bigint not null
);

create table api_keys (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- SHA-256 of the key: a key is random enough that a plain hash cannot be guessed back.
  hash text not null unique,
  hint text not null,
  created_at bigint not null,
  revoked_at bigint
);
create index api_keys_of_merchant on api_keys (merchant_id);

create table signing_secrets (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- In the clear, since signing needs it.
  secret text not null,
  created_at bigint not null,
  expires_at bigint
);
create index signing_secrets_of_merchant on signing_secrets (merchant_id);

-- A merchant has a wallet in each currency that it is paid in and pays out in.
create table wallets (
  merchant_id bigint not null references merchants (id),
  currency text not null,
  -- No more than the contract's amounts can say (2^53 - 1).
  available bigint not null check (available between 0 and 9007199254740991),
  pending bigint not null check (pending between 0 and 9007199254740991),
  reserved bigint not null check (reserved between 0 and 9007199254740991),
  updated_at bigint not null,
  primary key (merchant_id, currency)
);

create table transactions (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  kind text not null check (kind in ('payment', 'payout')),
  order_id text not null,
  request_hash text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  status text not null,
  version bigint not null,
  created_at bigint not null,
  -- Time of the next action on it; claiming it moves this forward by the lease.
  due_at bigint,
  checkout_token text,
  -- The transaction as the domain knows it, as JSON.
  state text not null,
  unique (merchant_id, kind, order_id)
);
create index transactions_due on transactions (due_at) where due_at is not null;
create unique index transactions_by_checkout on transactions (checkout_token) where checkout_token is not null;

-- Sums that each customer has moved, by day (2026-03-02) and month (2026-03), for the limits of the methods.
create table customer_usage (
  merchant_id bigint not null references merchants (id),
  kind text not null,
  customer_id text not null,
  currency text not null,
  period text not null,
  amount bigint not null check (amount >= 0),
  primary key (merchant_id, kind, customer_id, currency, period)
);

-- Double entry: each row takes an amount from one account and gives it to another, in one currency of one merchant.
-- The sum of all accounts is therefore zero, whatever the rows are.
create table ledger_entries (
  id text primary key,
  merchant_id bigint not null,
  currency text not null,
  transaction_id text references transactions (id),
  from_account text not null check (from_account in ('channel', 'bank', 'pending', 'available', 'reserved')),
  to_account text not null check (to_account in ('channel', 'bank', 'pending', 'available', 'reserved')),
  amount bigint not null check (amount > 0),
  reason text not null,
  created_at bigint not null,
  check (from_account <> to_account),
  foreign key (merchant_id, currency) references wallets (merchant_id, currency)
);
create index ledger_entries_of_transaction on ledger_entries (transaction_id);

-- The outbox: one row for each webhook, written with the change that it tells of.
create table events (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  transaction_id text not null references transactions (id),
  url text not null,
  -- Scheme, host and port of the url: deliveries to one address wait for each other, not for other addresses.
  address text not null,
  body text not null,
  created_at bigint not null,
  attempts bigint not null,
  -- Time of the next attempt; claiming it moves this forward by the lease. Null when it is delivered or abandoned.
  next_at bigint,
  delivered_at bigint,
  last_result text
);
create index events_due on events (next_at) where next_at is not null;
create index events_of_transaction on events (transaction_id);
