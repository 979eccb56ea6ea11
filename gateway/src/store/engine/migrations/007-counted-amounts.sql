-- The amount that counts against a customer's limits may differ from the requested one. If a string in the JSON had
-- these characters, its quotes would be escaped.
update transactions set state = replace(state, '"counted":true', '"counted":' || amount)
where status not in ('SUCCESS', 'FAILED');
