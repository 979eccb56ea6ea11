-- A repeated creation is compared with the transaction, which holds all that its request said.
alter table transactions drop column request_hash;
