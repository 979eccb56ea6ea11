/** Sources to mutate, each with the test files that own their statements, the fastest first. */

export interface Area {
  readonly source: string;
  readonly tests: readonly string[];
}

/** Their payment and payout flows reach most of the domain, the ledger and the operations. */
const FLOWS = [
  'tests/gateway/api/{payments,repeat,scenarios,customer-limits}.test.ts',
  'tests/gateway/channel/{calls,results,exceptions}.test.ts',
  'tests/gateway/checkout/acting.test.ts',
];
const WEBHOOKS = [
  'tests/gateway/webhooks/{retries,due-events,delivery-claims,delivery-job,address-limits}.test.ts',
  'tests/gateway/webhooks/{delivery-limits,guard,gateway,http-sender,fetch-sender}.test.ts',
  'tests/gateway/management/{events,merchants,transactions}.test.ts',
  'tests/contract/webhook-vectors.test.ts',
  'tests/gateway/sandbox/{events,webhook-faults}.test.ts',
];
const AUTHENTICATION = [
  'tests/gateway/api/{keys,validation,rate-limits,hosts,lifecycle,connections,observability}.test.ts',
  'tests/gateway/management/{access,merchants}.test.ts',
  'tests/gateway/sandbox/merchants.test.ts',
  'tests/gateway/console/login.test.ts',
  'tests/gateway/sandbox/stream.test.ts',
];

/**
 * A mutant is active only in the process of its test, so tests that compile or start processes are left out. A file
 * belongs to the first area that contains it.
 */
export const AREAS: readonly Area[] = [
  {
    source: 'gateway/src/domain',
    tests: ['tests/gateway/domain/*.test.ts', ...FLOWS, 'tests/gateway/management/{proposals,merchants}.test.ts'],
  },
  {
    source: 'gateway/src/ledger',
    tests: [
      'tests/gateway/ledger/*.test.ts',
      'tests/gateway/store/audit.test.ts',
      'tests/gateway/sandbox/ledger.test.ts',
      'tests/gateway/commands/{settlement,export}.test.ts',
      'tests/gateway/management/{proposals,transactions}.test.ts',
      'tests/gateway/api/payments.test.ts',
    ],
  },
  { source: 'gateway/src/webhooks', tests: WEBHOOKS },
  {
    source: 'gateway/src/merchants',
    tests: [
      'tests/gateway/store/signing-secrets.test.ts',
      'tests/gateway/webhooks/delivery-job.test.ts',
      ...AUTHENTICATION,
    ],
  },
  { source: 'gateway/src/operators', tests: AUTHENTICATION },
  { source: 'gateway/src/http', tests: AUTHENTICATION },
  {
    source: 'gateway/src/management',
    tests: ['tests/gateway/management/*.test.ts', 'tests/gateway/store/audit.test.ts'],
  },
  { source: 'gateway/src/payments', tests: FLOWS },
  { source: 'gateway/src/payouts', tests: FLOWS },
  {
    source: 'gateway/src/transactions',
    tests: ['tests/gateway/jobs/*.test.ts', ...FLOWS, 'tests/gateway/commands/reconcile.test.ts'],
  },
  {
    source: 'contract/src/webhook-signature.ts',
    tests: ['tests/contract/webhook-vectors.test.ts', 'tests/client/webhooks.test.ts'],
  },
  {
    source: 'client/src/webhooks',
    tests: ['tests/client/{webhooks,event-tracker,recipes,testing}.test.ts', 'tests/contract/webhook-vectors.test.ts'],
  },
  {
    source: 'conformance/src/core',
    tests: ['tests/conformance/{judge,waits,wallets,wallet-order}.test.ts', 'tests/conformance/self/self.test.ts'],
  },
  {
    source: 'conformance/src/checks',
    tests: [
      'tests/conformance/{judge,own-checks,payment-page,waits,walks,wallets}.test.ts',
      'tests/conformance/self/self.test.ts',
    ],
  },
];
