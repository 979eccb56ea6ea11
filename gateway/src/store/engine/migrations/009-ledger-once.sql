-- Nothing is entered twice for the same reason: a transaction is collected, settled, reserved, released and paid out at
-- most once. Entries without a transaction, such as funding, repeat.
create unique index ledger_entries_once on ledger_entries (transaction_id, reason);
drop index ledger_entries_of_transaction;
