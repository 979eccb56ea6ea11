/** Every row of the simulated channel's table, from the creation to where it says that it ends. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SCENARIOS, type Scenario } from '../../../gateway/src/channel/scenarios.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { responseExamples } from '../../../generated/examples.ts';
import { clarification, confirmation, settled } from '../harness/customer.ts';
import { fund, paymentRequest, payoutRequest } from '../harness/fixtures.ts';
import { describeOnEachStore, startTestGateway, type TestGateway } from '../harness.ts';

const ROWS = SCENARIOS.map((scenario) => ({
  ...scenario,
  name: `${scenario.kind} with ${scenario.field} ${scenario.value}`,
}));

/** Does what the payment asks for until it ends, or stops where the scenario says so. Returns what was seen. */
async function walk(test: TestGateway, id: string, { outcome }: Scenario) {
  const seen = [];
  for (;;) {
    const shown = await settled(test, test.call, id);
    seen.push(shown);
    if (shown.status === outcome.stopIn) return seen;
    if (shown.status === 'EXTRA_DATA_NEEDED') {
      await test.call('POST', `/payments/${id}/clarify`, clarification(shown));
    } else if (shown.status === 'PAY_CONFIRMATION_NEEDED') {
      await test.call('POST', `/payments/${id}/confirm`, confirmation(shown));
    } else if (outcome.delayMs !== undefined && ['VERIFYING', 'PROCESSING'].includes(shown.status)) {
      test.clock.advance(outcome.delayMs);
    } else {
      return seen;
    }
  }
}

async function create({ call }: TestGateway, { kind, field, value }: Scenario): Promise<string> {
  const customer = { [field.replace('customer.', '')]: value };
  const answer =
    kind === 'payment'
      ? await call('POST', '/payments', paymentRequest({ customer }))
      : await call('POST', '/payouts', payoutRequest({ amount: 1_000, customer }));
  expect([200, 201]).toContain(answer.status);
  expect(['CREATED', 'PROCESSING']).toContain(answer.body.status);
  return answer.body.transaction_id;
}

/** The statuses that a row must be seen in, in this order, when nothing is due. */
function expectedStatuses({ kind, outcome }: Scenario): string[] {
  const { decline, delayMs, stopIn, clarify } = outcome;
  const path = [
    ...(stopIn === 'CREATED' ? ['CREATED'] : []),
    ...(clarify ? ['EXTRA_DATA_NEEDED'] : []),
    ...(kind === 'payment' && decline?.at !== 'initiate' ? ['PAY_CONFIRMATION_NEEDED'] : []),
    ...(delayMs || stopIn === 'VERIFYING' || stopIn === 'PROCESSING'
      ? [kind === 'payment' ? 'VERIFYING' : 'PROCESSING']
      : []),
    decline ? 'FAILED' : 'SUCCESS',
  ];
  return stopIn ? path.slice(0, path.indexOf(stopIn) + 1) : path;
}

describeOnEachStore('a scenario', (open) => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ store: await open() });
    await fund(test.gateway.store, test.merchant, 10_000_000);
  });

  it.each(ROWS)('of a $name goes as its row says', async (scenario) => {
    const id = await create(test, scenario);
    const seen = await walk(test, id, scenario);
    expect(seen.map(({ status }) => status)).toEqual(expectedStatuses(scenario));
    const last = seen.at(-1);
    expect(last.decline_reason).toBe(scenario.outcome.decline?.reason);
    const [asked] = seen.filter(({ status }) => status === 'EXTRA_DATA_NEEDED');
    expect(asked?.clarify).toEqual(scenario.outcome.clarify);
    if (scenario.outcome.stopIn === undefined) return;
    // It stays there as long as nothing else ends it.
    test.clock.advance(60_000);
    expect(await settled(test, test.call, id)).toEqual(last);
  });
});

describe('the table of scenarios', () => {
  it.each([
    ['payment', 'customer.id', paymentDeclineReasons, responseExamples.getPayment[200].declined],
    ['payout', 'customer.id', payoutDeclineReasons, responseExamples.getPayout[200].declined],
    ['payout', 'customer.account_number', payoutDeclineReasons, responseExamples.getPayout[200].declined],
  ] as const)(
    'has every decline code of a %s by %s, and the one outside of the table',
    (kind, field, known, example) => {
      const reasons = SCENARIOS.filter((row) => row.kind === kind && row.field === field).flatMap(
        ({ outcome }) => outcome.decline?.reason ?? [],
      );
      expect(Object.keys(known)).not.toContain(example.decline_reason);
      expect([...new Set(reasons)].sort()).toEqual([...Object.keys(known), example.decline_reason].sort());
    },
  );

  it('has no two rows for the same customer or account', () => {
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  });
});
