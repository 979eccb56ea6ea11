-- Time at which a worker looks at it next: its due time, until a claim moves this forward by the lease, or a failure by
-- the pause before the next attempt. The due time itself, which neither of them changes, is in its state.
alter table transactions rename column due_at to next_attempt_at;

-- Failures of its next step in a row, and the last error. A step that succeeds resets both.
alter table transactions add column failures bigint not null default 0;
alter table transactions add column last_error text;
create index transactions_failing on transactions (failures) where failures > 0;
