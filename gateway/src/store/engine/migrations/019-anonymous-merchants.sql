-- Time at which a merchant that was created without an account is deleted; null for all others.
alter table merchants add column expires_at bigint;
create index merchants_expiring on merchants (expires_at) where expires_at is not null;
