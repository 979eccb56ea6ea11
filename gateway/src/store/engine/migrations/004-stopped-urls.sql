-- Deleting an event asks whether a URL is stopped for it.
create index stopped_urls_of_event on stopped_urls (event_id);
