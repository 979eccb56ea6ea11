-- A merchant's transactions and ledger entries, newest first: ids begin with their time, so both indexes grow at the end of
-- their merchant. Neither changes when its row does.
create index transactions_of_merchant on transactions (merchant_id, id);
create index ledger_entries_of_merchant on ledger_entries (merchant_id, currency, id);

-- The last requests of each merchant in its sandbox, as JSON, in which secrets are masked and personal data is cut.
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
