/** The checks of levels, and the requirements of versions. */
import { expect, it } from 'vitest';
import { planChecks } from '../../conformance/src/checks/index.ts';
import { LEVELS, type Level, toSettings } from '../../conformance/src/core/settings.ts';
import { gatewayDriver } from '../../conformance/src/drivers/gateway.ts';
import { currentRequirements, readRequirements } from '../../conformance/src/run/rules.ts';
import { contract } from './report/synthetic.ts';

function listIds(...levels: Level[]): string[] {
  const settings = toSettings({ baseUrl: 'http://127.0.0.1', levels });
  return planChecks({ contract, settings, driver: gatewayDriver }).map(({ id }) => id);
}

it.each<[string, Level[], RegExp, string[]]>([
  [
    'payments by H2H only',
    ['payments-h2h'],
    // One of the balance's examples is named after a payout, and asks for none.
    /redirect|^(?!replay\/getBalance\/).*payout/i,
    [
      ...['replay/getBalance/four-currencies', 'access/getBalance/no-key', 'access/confirmPayment/no-key'],
      ...['replay/getPayment/created', 'isolation/getPayment'],
    ],
  ],
  [
    'webhooks and repeat safety without payouts',
    ['payments-h2h', 'webhooks', 'repeat-safety'],
    /^(webhook|repeat)\/.*payout/,
    ['webhook/arrives/paymentFailed', 'repeat/payment/same'],
  ],
  ['payouts only', ['payouts'], /\/[a-z]+Payment\//, ['replay/createPayout/imps-inr']],
])('a service that claims %s gets the checks of these levels only', (_claim, levels, others, own) => {
  const ids = listIds(...levels);
  expect(ids.filter((id) => others.test(id))).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(own));
});

it('each check is part of a level or of every service', () => {
  const some = LEVELS.flatMap((level) => [
    ...listIds(level),
    ...listIds(level, 'payments-h2h'),
    ...listIds(level, 'payments-redirect'),
    ...listIds(level, 'payouts'),
  ]);
  expect(new Set(some)).toEqual(new Set(listIds(...LEVELS)));
});

it('the requirements name every check in the current version, for which npm run build adds missing ones', () => {
  const current = currentRequirements(contract);
  expect(readRequirements(contract.bundle.info.version)).toEqual(current);
  expect(new Set(current.checks).size).toBe(current.checks.length);
});
