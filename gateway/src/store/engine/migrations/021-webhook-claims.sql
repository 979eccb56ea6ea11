-- The claim under which a webhook is being attempted, null while it waits: when the claim's first lease ends. A claim that
-- follows a lease that has run out has a later one, so the process that has lost the webhook writes nothing for its successor.
alter table events add column claim bigint;
