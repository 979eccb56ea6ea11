-- Each merchant's settings of its sandbox: clock, channels, customers and faults, as JSON. A merchant without a row has
-- set nothing.
create table sandbox_settings (
  merchant_id bigint primary key references merchants (id),
  settings text not null,
  -- Increases with each change of any merchant, so that other processes find what is new.
  changed bigint not null
);
create index sandbox_settings_by_change on sandbox_settings (changed);
