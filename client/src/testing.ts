/** payments-client/testing: bodies of every webhook, for unit tests of an endpoint. An app's own code needs none of it. */
export * from '../../generated/webhook-fixtures.ts';
