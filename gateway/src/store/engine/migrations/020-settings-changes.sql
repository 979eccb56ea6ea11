-- The number of the last change of any merchant's sandbox settings. A change takes the next one, and keeps this row locked
-- until its commit: changes are thus committed in the order of their numbers, and a process that has read one has missed none before it.
create table sandbox_changes (
  id bigint primary key check (id = 1),
  last bigint not null
);
insert into sandbox_changes (id, last) select 1, coalesce(max(changed), 0) from sandbox_settings;
