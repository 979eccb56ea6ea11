-- The oldest schema whose gateways can run on this one.
create table schema_usability (
  id bigint primary key check (id = 1),
  usable_by bigint not null
);
