/** The test data of the simulated channels, each with the smallest request that uses it. */
import type { TestDataList, TestDatum } from '../../../../generated/sandbox/types.ts';
import { SCENARIOS, type Scenario } from '../../channel/scenarios.ts';
import { allMethods, type Method } from '../../domain/methods.ts';

/** In minor units; every method takes it. */
const AMOUNT = 1_000;

const TEST_DATA: readonly TestDatum[] = SCENARIOS.map((scenario) => ({
  kind: scenario.kind,
  field: scenario.field,
  value: scenario.value,
  summary: scenario.summary,
  request: smallestRequest(scenario),
}));

export async function listTestData(): Promise<TestDataList> {
  return { data: [...TEST_DATA] };
}

/** Without `return_url` the flow is host to host, in which every row takes effect. */
function smallestRequest({ kind, field, value }: Scenario): TestDatum['request'] {
  const { name, currencies } = firstMethod(kind);
  return {
    amount: AMOUNT,
    currency: currencies[0],
    customer: { id: 'anyone', [field.replace('customer.', '')]: value },
    payment_method_type: name,
  };
}

/** The first of the contract's methods that works without a redirect. */
function firstMethod(kind: Method['kind']): Method {
  const found = allMethods().find((method) => method.kind === kind && method.flows.includes('h2h') && !method.sandbox);
  if (!found) throw new Error(`no ${kind} method works without a redirect`);
  return found;
}
