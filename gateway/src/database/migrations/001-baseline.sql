-- The schema of both databases. 001-baseline.sqlite.sql and 001-baseline.postgres.sql have the parts that differ.
-- Amounts are minor units, at most 2^53 - 1, the largest amount of the contract. Times are milliseconds since 1970 in UTC. Ids begin with their time.

-- Merchants and their access ----------------------------------------------------------------------

-- Whether the money of this database is real: 1 if it is live, 0 if it is for tests. The first start or the first API key
-- writes the only row.
create table database_mode (
  id bigint primary key check (id = 1),
  live bigint not null unique check (live in (0, 1)),
  -- The server and database on which a gateway has started last. On another one, the database is a restored copy.
  location text,
  -- Ids of the keys that personal data is encrypted with, separated by spaces; `none` for data in the clear.
  key_ids text
);

-- Merchants. The row of a deleted merchant stays, so that its number isn't used again.
create table merchants (
  id bigint primary key,
  name text not null,
  created_at bigint not null,
  -- API keys are refused while it is set.
  disabled_at bigint,
  deleted_at bigint,
  -- Settings of methods that differ from the gateway's, as JSON. Null without any.
  methods text,
  -- Time at which a merchant that was created without an account is deleted. Null for all others.
  expires_at bigint
);
create index merchants_expiring on merchants (expires_at) where expires_at is not null;

-- API keys of merchants.
create table api_keys (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- SHA-256 of the key: a key is random enough that a plain hash cannot be guessed back.
  hash text not null unique,
  hint text not null,
  created_at bigint not null,
  revoked_at bigint,
  -- All keys have the mode of the database.
  live bigint not null references database_mode (live)
);
create index api_keys_of_merchant on api_keys (merchant_id);

-- Secrets that sign webhooks. A rotation adds one; the one before expires later.
create table signing_secrets (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- In the clear, or encrypted with SECRETS_KEY.
  secret text not null,
  created_at bigint not null,
  expires_at bigint
);
create index signing_secrets_of_merchant on signing_secrets (merchant_id);

-- Operators ---------------------------------------------------------------------------------------

-- People and programs that run the gateway.
create table operators (
  id text primary key,
  name text not null,
  created_at bigint not null,
  -- Each role may do what the roles before it may.
  role text not null default 'act' check (role in ('read', 'support', 'act', 'approve'))
);
-- A proposal is approved by another operator, so one person must not be two operators of the same name.
create unique index operators_name on operators (lower(name));

-- Keys of operators for the management API.
create table operator_keys (
  id text primary key,
  operator_id text not null references operators (id),
  -- SHA-256 of the key.
  hash text not null unique,
  hint text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- Written at most once a minute.
  last_used_at bigint,
  revoked_at bigint
);
create index operator_keys_of_operator on operator_keys (operator_id, id);

-- Access to the console: sessions, and links that begin one once. Each ends with its key.
create table console_access (
  -- SHA-256 of the token.
  hash text primary key,
  kind text not null check (kind in ('link', 'session')),
  -- The key of a merchant or of an operator.
  key_id text references api_keys (id) on delete cascade,
  operator_key_id text references operator_keys (id) on delete cascade,
  expires_at bigint not null,
  -- The session in which a link was made. The link, and the session that it becomes, end with that session.
  made_in text references console_access (hash) on delete cascade,
  check ((key_id is null) <> (operator_key_id is null))
);
create index console_access_of_key on console_access (key_id);
create index console_access_made_in on console_access (made_in) where made_in is not null;

-- The operators' audit log, written together with each change. Never contains a secret.
create table operator_changes (
  id text primary key,
  operator_id text not null references operators (id),
  changed_at bigint not null,
  action text not null,
  -- Null if it concerns several merchants. No foreign key, since the log outlives the merchant.
  merchant_id bigint,
  subject text,
  -- The operator's own words. Null if none were given.
  reason text,
  -- The order of the commits, from 1 on. Ids of two processes may have another order.
  sequence bigint not null unique,
  -- SHA-256 of the row and of the previous row's hash.
  hash text not null
);

-- The last change of the audit log. Its lock makes writers of the log wait for each other, and no others.
create table audit_log_end (
  id bigint primary key check (id = 1),
  sequence bigint not null,
  hash text not null
);

-- Changes of money that one operator proposes and another one approves: corrections of wallets, outcomes of transactions
-- whose channel reports none, and resolutions of exceptions.
create table proposals (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- Null for a correction of a wallet. No foreign key, since the proposal outlives the transaction of a sandbox.
  transaction_id text,
  type text not null check (type in ('correction', 'resolution', 'exception', 'import')),
  -- The change as JSON, without its type.
  change text not null,
  -- Evidence, such as the line of a provider's statement.
  reference text not null,
  reason text not null,
  proposed_by text not null references operators (id),
  proposed_at bigint not null,
  state text not null check (state in ('open', 'approved', 'rejected')),
  decided_by text references operators (id),
  decided_at bigint,
  decision_reason text,
  -- The ledger entry of an approved correction or a booked exception.
  entry_id text unique,
  check ((state = 'open') = (decided_by is null and decided_at is null)),
  check (state <> 'approved' or decided_by <> proposed_by)
);
create index proposals_open on proposals (id) where state = 'open';
create index proposals_of_merchant on proposals (merchant_id, id);
create index proposals_of_transaction on proposals (transaction_id, id) where transaction_id is not null;
create index proposals_approved on proposals (decided_at) where state = 'approved';
create unique index proposals_open_of_transaction on proposals (transaction_id) where state = 'open';

-- Channels that get no new transactions until their row is deleted.
create table paused_channels (
  channel text primary key,
  operator_id text not null references operators (id),
  paused_at bigint not null,
  -- The operator's own words. Null if none were given.
  reason text
);

-- Payouts of all channels are paused while it has a row.
create table payout_pause (
  id bigint primary key check (id = 1),
  -- Null if a gateway or a backup has paused them.
  operator_id text references operators (id),
  paused_at bigint not null,
  reason text
);

-- Payments, payouts and money ---------------------------------------------------------------------

-- Payments and payouts.
create table transactions (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  kind text not null check (kind in ('payment', 'payout')),
  order_id text not null,
  currency text not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  -- The collected amount. Null until a payment succeeds. The state doesn't repeat it.
  amount_paid bigint check (amount_paid between 1 and 9007199254740991),
  status text not null,
  version bigint not null,
  created_at bigint not null,
  -- Time at which a worker claims it: its due time, until a claim moves this forward by the lease, or a failure by the
  -- pause before the next attempt. The due time itself is in the state.
  next_attempt_at bigint,
  -- Consecutive failures of its next step, and the last error. A step that succeeds resets both.
  failures bigint not null default 0,
  last_error text,
  -- Time of the oldest open exception: a result of the channel that contradicts how it has ended. Null without one.
  exception_at bigint,
  checkout_token text,
  -- Parts of the request that are never shown and never change, as JSON. Personal data in both columns is encrypted with
  -- SECRETS_KEY.
  details text not null,
  -- The rest of the transaction as the domain knows it, as JSON.
  state text not null,
  unique (merchant_id, kind, order_id)
);
create index transactions_due on transactions (next_attempt_at) where next_attempt_at is not null;
create unique index transactions_by_checkout on transactions (checkout_token) where checkout_token is not null;
create index transactions_failing on transactions (failures) where failures > 0;
create index transactions_exceptions on transactions (exception_at, id) where exception_at is not null;
-- Lists, newest first. It grows at the end of each merchant, and updates don't change it.
create index transactions_of_merchant on transactions (merchant_id, id);
-- Counts open transactions without reading final ones.
create index transactions_open on transactions (kind, status, id) where status not in ('SUCCESS', 'FAILED');
-- An open transaction without a next attempt is a mistake, so this index is empty unless there is one.
create index transactions_stuck on transactions (kind, status, id)
  where status not in ('SUCCESS', 'FAILED') and next_attempt_at is null;

-- Hashes of the phones, accounts and bank references of transactions, for searches. No foreign key, since its check would
-- lock the transaction's row.
create table search_keys (
  hash text not null,
  transaction_id text not null,
  primary key (hash, transaction_id)
);

-- A merchant's balance in each currency that it is paid in and pays out in.
create table wallets (
  merchant_id bigint not null references merchants (id),
  currency text not null,
  available bigint not null check (available between 0 and 9007199254740991),
  pending bigint not null check (pending between 0 and 9007199254740991),
  reserved bigint not null check (reserved between 0 and 9007199254740991),
  -- Credits that become available after this time, in the merchant's time, are still in `pending`. Reads add the rest.
  settled_until bigint not null default 0,
  updated_at bigint not null,
  primary key (merchant_id, currency),
  -- Pending and reserved amounts can become available.
  check (available + pending + reserved <= 9007199254740991)
);

-- Double entry: each row moves an amount from one account to another, in one currency of one merchant. The sum of all
-- accounts is therefore always zero.
create table ledger_entries (
  id text primary key,
  merchant_id bigint not null,
  currency text not null,
  -- Null for money from outside, such as funding.
  transaction_id text references transactions (id),
  from_account text not null check (from_account in ('channel', 'bank', 'pending', 'available', 'reserved')),
  to_account text not null check (to_account in ('channel', 'bank', 'pending', 'available', 'reserved')),
  amount bigint not null check (amount between 1 and 9007199254740991),
  reason text not null,
  created_at bigint not null,
  -- The merchant's time from which an amount in `pending` counts as available. Null for all other entries.
  available_at bigint,
  check (from_account <> to_account),
  check ((to_account = 'pending') = (available_at is not null))
  -- No foreign key to the wallet, since its check would read all dead versions of the wallet for each entry.
);
-- A transaction is collected, reserved, released and paid out at most once.
create unique index ledger_entries_once on ledger_entries (transaction_id, reason);
create index ledger_entries_of_merchant on ledger_entries (merchant_id, currency, id);
-- Finds the credits that have become available, without reading their rows.
create index ledger_entries_settling on ledger_entries (merchant_id, currency, available_at, amount)
  where available_at is not null;

-- Reconciliation ----------------------------------------------------------------------------------

-- Imported statements of channels.
create table statements (
  id text primary key,
  channel text not null,
  -- SHA-256 of the file, so that importing it again changes nothing.
  hash text not null,
  -- The period that it covers: its first time, and the one after the last.
  period_from bigint not null,
  period_before bigint not null check (period_before > period_from),
  imported_at bigint not null,
  operator_id text not null references operators (id),
  -- Number of its lines. Null until all are stored.
  lines bigint,
  unique (channel, hash)
);

-- Their lines: movements of money that the channel says it has made.
create table statement_lines (
  statement_id text not null references statements (id),
  number bigint not null,
  channel text not null,
  -- As the statement has it. The transaction may be unknown here.
  transaction_id text not null,
  currency text not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  -- The channel's own id of the movement. Null if the statement has none.
  reference text,
  primary key (statement_id, number)
);
create index statement_lines_of_transaction on statement_lines (channel, transaction_id);
-- Statements whose periods overlap have the same lines.
create unique index statement_lines_once on statement_lines (channel, reference, transaction_id, currency, amount)
  where reference is not null;

-- Transactions of which the ledger and the lines of a channel differ, or once did.
create table differences (
  id text primary key,
  channel text not null,
  transaction_id text not null,
  -- Null if the transaction is unknown here.
  merchant_id bigint,
  method text,
  kind text not null check (kind in ('not_in_statement', 'not_in_ledger', 'other_amount')),
  -- What both have, in words. An acceptance is limited to it.
  difference text not null,
  state text not null check (state in ('open', 'matched', 'accepted')),
  found_at bigint not null,
  closed_at bigint,
  -- The operator who accepted it, and why.
  operator_id text references operators (id),
  reason text,
  unique (channel, transaction_id),
  check ((state = 'accepted') = (operator_id is not null and reason is not null))
);
create index differences_open on differences (id) where state = 'open';

-- Webhooks ----------------------------------------------------------------------------------------

-- The outbox: one row for each webhook, written together with the change that it reports.
create table events (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  transaction_id text not null references transactions (id),
  url text not null,
  -- Scheme, host and port of the url. Deliveries of a merchant to one address wait for each other.
  address text not null,
  body text not null,
  created_at bigint not null,
  attempts bigint not null,
  -- Time of the next attempt; a claim moves it forward by the lease. Null when the webhook is delivered or abandoned.
  next_at bigint,
  delivered_at bigint,
  last_result text,
  -- The event that this row sends once more. Such a row is deleted after its attempt.
  resend_of text,
  -- The current claim: the end of its first lease. Null while the webhook waits. A later claim has a later end, so a
  -- process that has lost its lease can't overwrite its successor's result.
  claim bigint,
  -- Attempts as JSON arrays of time, duration and result, separated by commas.
  attempt_log text,
  -- The W3C traceparent of the step that wrote the webhook. Null without traces.
  trace text
);
create index events_of_transaction on events (transaction_id);
create index events_by_address on events (merchant_id, address, next_at, id) where next_at is not null;
create index events_resent on events (resend_of) where resend_of is not null;
create index events_of_merchant on events (merchant_id, id) where resend_of is null;
create index events_given_up on events (merchant_id, id) where next_at is null and delivered_at is null;
create index events_not_delivered on events (id) where next_at is null and delivered_at is null;

-- Callback URLs that get no webhooks until their row is deleted.
create table stopped_urls (
  merchant_id bigint not null references merchants (id),
  url text not null,
  -- The event whose response was a 410.
  event_id text not null references events (id),
  stopped_at bigint not null,
  -- The operator who stopped the URL. Null if a 410 did.
  operator_id text references operators (id),
  primary key (merchant_id, url)
);
create index stopped_urls_of_event on stopped_urls (event_id);

-- Addresses whose last response was late, so that every process knows that they hang.
create table hanging_addresses (
  merchant_id bigint not null references merchants (id),
  address text not null,
  hung_at bigint not null,
  primary key (merchant_id, address)
);
create index hanging_addresses_by_time on hanging_addresses (hung_at);

-- Sandbox -----------------------------------------------------------------------------------------

-- Each merchant's clock, channels, customers and faults, as JSON.
create table sandbox_settings (
  merchant_id bigint primary key references merchants (id),
  settings text not null
);

-- The process that serves the sandbox. Others wait until its lease expires.
create table sandbox_lease (
  id bigint primary key check (id = 1),
  holder text not null,
  expires_at bigint not null
);

-- The last requests of each merchant, as JSON. Secrets are masked and personal data is shortened.
create table sandbox_requests (
  merchant_id bigint not null references merchants (id),
  id text not null,
  status bigint not null,
  transaction_id text,
  summary text not null,
  -- Headers and bodies, which the summary lacks.
  detail text not null,
  primary key (merchant_id, id)
);

-- Attempts to deliver a webhook, with headers and response. Only gateways with a sandbox keep them.
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

-- The fault rules that affect a webhook, once they are selected: their ids, separated by spaces.
create table webhook_fault_selections (
  event_id text primary key references events (id) on delete cascade,
  rules text not null
);
