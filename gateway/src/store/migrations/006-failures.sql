-- When a worker looks at it next: when it is due, until a claim moves this forward by the lease, or a failure by the
-- pause before the next attempt. When it is due, which neither of them changes, is in its state.
alter table transactions rename column due_at to next_attempt_at;

-- How often in a row its next step has failed, and the last error. A step that succeeds resets both.
alter table transactions add column failures bigint not null default 0;
alter table transactions add column last_error text;
create index transactions_failing on transactions (failures) where failures > 0;
