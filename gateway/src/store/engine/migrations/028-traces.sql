-- The W3C traceparent of the step that wrote the webhook, which its attempts continue; null without traces.
alter table events add column trace text;
