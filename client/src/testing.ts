/** payments-client/testing: objects of every schema, for unit tests. An app's own code needs none of it. */
export * from '../../generated/example-factories.ts';
