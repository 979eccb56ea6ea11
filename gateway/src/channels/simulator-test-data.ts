/** The simulator's test data: predetermined outcomes, and detection of misspelled values. */
import { nearest } from '../../../contract/src/nearest.ts';
import type { Methods } from '../domain/methods.ts';
import type { Flow, Transaction } from '../domain/transaction.ts';
import type { TestData } from './channel.ts';
import { confirmation } from './confirmation.ts';
import { findScenario, RESERVED, SCENARIOS, type Scenario, selectScenario } from './scenarios.ts';

export function simulatorTestData(methods: Methods): TestData {
  return {
    plan(transaction) {
      const scenario = selectScenario(transaction);
      if (!scenario) return undefined;
      const { decline, opensIn } = scenario.outcome;
      if (opensIn)
        return { opening: (payment) => ({ type: 'confirmation_needed', ...confirmation(methods, payment) }) };
      return decline?.at === 'opening' ? { decline: decline.reason } : {};
    },
    mistake,
  };
}

function mistake(request: Pick<Transaction, 'kind' | 'customer'>, flow: Flow): ReturnType<TestData['mistake']> {
  for (const field of ['customer.id', 'customer.account_number'] as const) {
    const value = givenValue(request, field);
    const scenario = findScenario(request.kind, field, value);
    if (scenario) return mistakenFlow(scenario, flow);
    const prefix = RESERVED[field].find((reserved) => value?.toLowerCase().startsWith(reserved));
    if (value === undefined || prefix === undefined) continue;
    const nearest = nearestRow(value, prefix, { kind: request.kind, field });
    const message = `is not in the sandbox's table of test ${request.kind}s; did you mean ${nearest}?`;
    return { pointer: toFieldPointer(field), message };
  }
  return undefined;
}

function mistakenFlow({ field, flow, value }: Scenario, taken: Flow) {
  if (flow === undefined || flow === taken) return undefined;
  return {
    pointer: toFieldPointer(field),
    message: `is ${value}, which takes effect in the host-to-host flow only; omit return_url, and use a method of that flow`,
  };
}

function givenValue({ customer }: Pick<Transaction, 'customer'>, field: Scenario['field']): string | undefined {
  return field === 'customer.id' ? customer.id : (customer as { account_number?: string }).account_number;
}

/** Returns the most similar value, preferring values with a common prefix. */
function nearestRow(value: string, prefix: string, { kind, field }: Pick<Scenario, 'kind' | 'field'>): string {
  const rows = SCENARIOS.filter((row) => row.kind === kind && row.field === field).map((row) => row.value);
  const alike = rows.filter((row) => row.startsWith(prefix));
  return nearest(value, alike.length > 0 ? alike : rows)?.name ?? '';
}

function toFieldPointer(field: Scenario['field']): string {
  return `/${field.replace('.', '/')}`;
}
