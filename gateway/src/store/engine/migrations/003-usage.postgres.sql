-- Room in each page, so that the next version of a row that changes all the time stays beside it and no index changes.
alter table customer_usage set (fillfactor = 70);
alter table wallets set (fillfactor = 50);
