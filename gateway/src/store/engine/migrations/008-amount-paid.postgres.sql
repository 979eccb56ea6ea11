-- The collected amount, in minor units; null until a payment succeeds. It moves here from the state, so that the books
-- can be compared with it. Transactions from before keep a copy in their state until their next change; nothing reads
-- it.
alter table transactions add column amount_paid bigint check (amount_paid > 0);
update transactions set amount_paid = cast(cast(state as jsonb) ->> 'amountPaid' as bigint)
  where cast(state as jsonb) ->> 'amountPaid' is not null;
