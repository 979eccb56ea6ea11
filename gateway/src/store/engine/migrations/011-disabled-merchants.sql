-- Time at which the merchant was disabled: its API keys are refused while this is set.
alter table merchants add column disabled_at bigint;
