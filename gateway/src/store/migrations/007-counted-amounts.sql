-- What is counted against a customer's limits is an amount, which may differ from the requested one. Where a string in
-- the JSON had these characters, its quotes would be escaped.
update transactions set state = replace(state, '"counted":true', '"counted":' || amount)
where status not in ('SUCCESS', 'FAILED');
