-- concurrently: only creates indexes, which PostgreSQL can build while others write.
-- Counts what is open without a look at what is final. What is open and has no next attempt is a mistake, so the second index
-- is empty unless there is one.
create index transactions_open on transactions (kind, status, id) where status not in ('SUCCESS', 'FAILED');
create index transactions_stuck on transactions (kind, status, id)
  where status not in ('SUCCESS', 'FAILED') and next_attempt_at is null;
