/** Fixtures of the gateway's tests: stores on both databases, and a gateway inside the process. */
export { afterwards, temporaryFolder } from './harness/afterwards.ts';
export { everyChannel, SIMULATOR } from './harness/channels.ts';
export {
  type Answer,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from './harness/gateway.ts';
export { type Injected, inject } from './harness/inject.ts';
export {
  describeBehindPooler,
  describeOnEachConnection,
  describeOnEachStore,
  injectedConflicts,
  onPortableOnly,
  openTestPostgres,
  openTestSqlite,
  pooledDatabase,
  postgresDatabase,
  separateDatabase,
  sqliteDatabase,
  type TestDatabase,
} from './harness/stores.ts';
