/** The ends of walks. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkToEnd, settle, WalkFailure } from '../../conformance/src/checks/walks.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { NotReached } from '../../conformance/src/core/finding.ts';
import { InsufficientFunds, type TrackedTransaction } from '../../conformance/src/core/transactions.ts';
import { collectEvidence } from '../../conformance/src/report/evidence.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { contract } from './report/synthetic.ts';
import { DEFECTS } from './self/defects/index.ts';
import { startProxy } from './self/proxy.ts';
import { openSqliteFile, startReference } from './self/reference.ts';

const LIMIT_MS = 150;
const LIMITS = { numRuns: 2, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: false };

it('a walk that the time limit interrupts is waited for, and its failure is not lost', async () => {
  const failure = new Error('of the service');
  let walks = 0;
  const walk = async (): Promise<void> => {
    walks += 1;
    if (walks === 1) return;
    await pause(2 * LIMIT_MS);
    throw failure;
  };
  const { details, late } = await checkToEnd(fc.constant('steps'), walk, LIMITS);
  expect([details.interrupted, details.errorInstance]).toEqual([true, null]);
  // On a busy machine, the time can be up before the second walk begins.
  if (walks === 2) expect(late).toEqual({ error: failure, value: 'steps' });
});

it('a walk that fails is shown as the requests that repeat it', async () => {
  const defect = DEFECTS.find(({ id }) => id === 'money/balance/failed-payment-collected');
  const service = await startReference(openSqliteFile);
  const reference = await service.merchants();
  const proxy = await startProxy(reference, defect?.alter() ?? {});
  const { results } = await verifyService({
    ...{ baseUrl: proxy.url, key: reference.key, driver: 'gateway', only: ['walk'], seed: 7, walks: 2 },
  });
  await proxy.close();
  await service.close();
  const [finding] = results.flatMap(({ findings }) => findings);
  const { steps = [] } = (finding && collectEvidence(finding, (text) => text)) ?? {};
  expect(steps[0]).toMatch(/^curl -i -X POST 'http:.*\/pay(ments|outs)' /);
  expect(steps.length).toBeLessThan(8);
});

const AMOUNT = 1_500;

it.each([
  ['not reached if its payouts exceed the balance', 2 * AMOUNT - 1, undefined, InsufficientFunds],
  ['not reached if no payout of the run gets there', 2 * AMOUNT, new NotReached('', 'raise --timeout'), NotReached],
  ['a failure of the service if there was enough', 2 * AMOUNT, undefined, WalkFailure],
])('a declined walk is %s', async (_title, available, unreachable, error) => {
  const creation = { body: { status: 'FAILED' } };
  const tracked = { kind: 'payout', reads: [], creation } as unknown as TrackedTransaction;
  const declined = new InsufficientFunds('the payout became FAILED with INSUFFICIENT_BALANCE', 'raise --timeout');
  const reach = async () => {
    if (unreachable) throw unreachable;
    return tracked;
  };
  const fixtures = { drive: () => Promise.reject(declined), reach };
  const entry = { tracked, status: 'PROCESSING', amount: AMOUNT, goal: { until: 'SUCCESS' } };
  const context = { contract, fixtures } as unknown as Context;
  await expect(settle(context, { transactions: [entry, entry] }, available)).rejects.toThrow(error);
});
