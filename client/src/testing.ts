/** payments-client/testing: objects of every schema, for unit tests. Apps don't need it at run time. */
export * from '../../generated/example-factories.ts';
