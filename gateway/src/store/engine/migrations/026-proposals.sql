-- The role of an operator: each may do what those before it may.
alter table operators add column role text not null default 'act' check (role in ('read', 'act', 'approve'));

-- The operator's own words; null where none were given.
alter table operator_changes add column reason text;

-- Changes of money that one operator proposes and another one approves: corrections of wallets, and outcomes of transactions
-- whose channel gives none.
create table proposals (
  id text primary key,
  merchant_id bigint not null references merchants (id),
  -- Null for a correction of a wallet. No foreign key, since the proposal outlives an archived transaction.
  transaction_id text,
  -- The change as JSON.
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
  -- The entry that an approved correction has made.
  entry_id text unique,
  check ((state = 'open') = (decided_by is null and decided_at is null)),
  check (state <> 'approved' or decided_by <> proposed_by)
);
create index proposals_open on proposals (id) where state = 'open';
create index proposals_of_merchant on proposals (merchant_id, id);
create index proposals_of_transaction on proposals (transaction_id, id) where transaction_id is not null;
create unique index proposals_open_of_transaction on proposals (transaction_id) where state = 'open';
