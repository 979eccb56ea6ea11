/** Checks that compare wallets: one after the other in each currency, and side by side in different ones. */
import { expect, it } from 'vitest';
import type { Check } from '../../conformance/src/core/check.ts';
import { toSettings } from '../../conformance/src/core/settings.ts';
import { gatewayDriver } from '../../conformance/src/drivers/gateway.ts';
import { type CheckRun, runChecks } from '../../conformance/src/run/run.ts';
import { openJournal } from '../../conformance/src/service/exchange.ts';
import { contract } from './report/synthetic.ts';

type Part = Pick<Check, 'id' | 'phase'> & Partial<Check>;

/** Runs the checks, and resolves with their starts and ends in order. */
async function runAll(parts: readonly Part[]): Promise<string[]> {
  const seen: string[] = [];
  const checks = parts.map(
    (part): Check => ({
      ...{ title: '', clause: contract.clause(''), levels: [], partOf: [], ...part },
      async run() {
        seen.push(`${part.id} starts`);
        await new Promise(setImmediate);
        seen.push(`${part.id} ends`);
        return [];
      },
    }),
  );
  const run = {
    ...{ contract, settings: toSettings({ baseUrl: 'http://127.0.0.1' }), journal: openJournal() },
    ...{ driver: { ...gatewayDriver, payout: () => undefined }, stop: new AbortController().signal },
  } as unknown as CheckRun;
  await runChecks(run, checks);
  return seen;
}

const inWallet = (currency: string) => ({ walletOf: () => currency });

/** Checks run one after the other. */
const inOrder = (...ids: string[]) => ids.flatMap((id) => [`${id} starts`, `${id} ends`]);

it('runs checks side by side in the wallets of two currencies, once everything else has ended', async () => {
  const seen = await runAll([
    { id: 'one', phase: 'money', ...inWallet('INR') },
    { id: 'other', phase: 'wallets', ...inWallet('EGP') },
    { id: 'first', phase: 'parallel' },
  ]);
  expect(seen.slice(0, 2)).toEqual(inOrder('first'));
  expect(seen.slice(2, 4).toSorted()).toEqual(['one starts', 'other starts']);
});

it('runs one check at a time in each wallet, with payouts last and the one that empties it at the end', async () => {
  const payouts = { partOf: ['payouts'], ...inWallet('INR') } as const;
  const seen = await runAll([
    { id: 'emptied', phase: 'wallets', ...payouts },
    { id: 'paid out', phase: 'money', ...payouts },
    { id: 'walk', phase: 'walks', ...inWallet('INR') },
    { id: 'collected', phase: 'money', ...inWallet('INR') },
  ]);
  expect(seen).toEqual(inOrder('collected', 'walk', 'paid out', 'emptied'));
});

it('runs one check at a time if the driver fails to name the wallet', async () => {
  const fails = () => {
    throw new Error('of the driver');
  };
  const seen = await runAll([
    { id: 'one', phase: 'money', walletOf: fails },
    { id: 'other', phase: 'money', walletOf: () => undefined },
  ]);
  expect(seen).toEqual(inOrder('one', 'other'));
});
