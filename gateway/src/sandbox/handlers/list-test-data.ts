/** The test data of the simulated channels, each with the smallest request that uses it. */
import type { TestDataList, TestDatum } from '../../../../generated/sandbox/types.ts';
import { SCENARIOS, type Scenario } from '../../channels/scenarios.ts';
import type { Method, Methods } from '../../domain/methods.ts';
import type { SandboxServices } from '../operation.ts';

/** In minor units; every method takes it. */
const AMOUNT = 1_000;

export async function listTestData({ methods }: SandboxServices): Promise<TestDataList> {
  const first = { payment: firstMethod(methods, 'payment'), payout: firstMethod(methods, 'payout') };
  const data = SCENARIOS.flatMap((scenario): TestDatum[] => {
    const { kind, field, value, summary } = scenario;
    const method = first[kind];
    return method ? [{ kind, field, value, summary, request: smallestRequest(scenario, method) }] : [];
  });
  return { data };
}

/** Without `return_url` the flow is host to host, in which every row takes effect. */
function smallestRequest({ field, value }: Scenario, { name, currencies }: Method): TestDatum['request'] {
  return {
    amount: AMOUNT,
    currency: currencies[0],
    customer: { id: 'anyone', [field.replace('customer.', '')]: value },
    payment_method_type: name,
  };
}

/** The first of the contract's methods that works without a redirect. */
function firstMethod(methods: Methods, kind: Method['kind']): Method | undefined {
  return methods.find((method) => method.kind === kind && method.flows.includes('h2h') && !method.sandbox);
}
