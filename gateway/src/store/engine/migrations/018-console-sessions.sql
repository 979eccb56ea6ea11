-- The session in which a link was made, also once the link has become a session: both end with that session.
alter table console_access add column made_in text references console_access (hash) on delete cascade;
create index console_access_made_in on console_access (made_in) where made_in is not null;
