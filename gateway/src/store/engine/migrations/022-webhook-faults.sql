-- The sandbox's rules that affect a webhook, once they have been selected: their ids, separated by spaces. What is settled is
-- not attempted any more, so its selection is of no use.
create table webhook_fault_selections (
  event_id text primary key references events (id) on delete cascade,
  rules text not null
);
insert into webhook_fault_selections (event_id, rules)
  select id, fault_rules from events where fault_rules is not null and next_at is not null;
alter table events drop column fault_rules;
