-- A repeated creation is compared with the transaction, which holds all that its request said.
alter table transactions drop column request_hash;

-- Parts of the request that are never shown, as JSON. They never change, so reads omit them. Transactions from before
-- have it in their state, and move it here with their next change.
alter table transactions add column details text;
