-- A repeated creation is compared with the transaction, which holds all that its request said.
alter table transactions drop column request_hash;

-- What the request said and nobody is shown, as JSON. It never changes, so reads leave it out. Transactions from before
-- have it in their state, and move it here with their next change.
alter table transactions add column details text;
