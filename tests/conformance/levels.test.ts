/** The checks of levels, and the requirements of versions. */
import { describe, expect, it } from 'vitest';
import { planChecks } from '../../conformance/src/checks/index.ts';
import { LEVELS, type Level, toSettings } from '../../conformance/src/core/settings.ts';
import { loadContract } from '../../conformance/src/document/contract.ts';
import { gatewayDriver } from '../../conformance/src/drivers/gateway.ts';
import { currentRequirements, readRequirements } from '../../conformance/src/run/rules.ts';

const contract = loadContract();

function listIds(...levels: Level[]): string[] {
  const settings = toSettings({ baseUrl: 'http://127.0.0.1', levels });
  return planChecks({ contract, settings, driver: gatewayDriver }).map(({ id }) => id);
}

describe('a service that claims payments by H2H only', () => {
  const ids = listIds('payments-h2h');

  it('is not asked for payouts', () => {
    // One of the balance's examples is named after a payout, and asks for none.
    expect(ids.filter((id) => /payout/i.test(id) && !id.startsWith('replay/getBalance/'))).toEqual([]);
  });

  it('is not asked for payments by redirect', () => {
    expect(ids.filter((id) => /redirect/.test(id))).toEqual([]);
  });

  it('gets the checks of every service, and of payments by H2H', () => {
    const wanted = ['replay/getBalance/four-currencies', 'access/getBalance/no-key', 'access/confirmPayment/no-key'];
    expect(ids).toEqual(expect.arrayContaining([...wanted, 'replay/getPayment/created', 'isolation/getPayment']));
  });
});

it('a service that claims webhooks and repeat safety, but no payouts, gets no checks of payouts', () => {
  const ids = listIds('payments-h2h', 'webhooks', 'repeat-safety');
  expect(ids.filter((id) => /^(webhook|repeat)\/.*payout/.test(id))).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(['webhook/arrives/paymentFailed', 'repeat/payment/same']));
});

it('a service that claims payouts only is not asked for payments', () => {
  expect(listIds('payouts').filter((id) => /\/[a-z]+Payment\//.test(id))).toEqual([]);
});

it('each check is part of a level or of every service', () => {
  const all = new Set(listIds(...LEVELS));
  const some = LEVELS.flatMap((level) => [
    ...listIds(level),
    ...listIds(level, 'payments-h2h'),
    ...listIds(level, 'payments-redirect'),
    ...listIds(level, 'payouts'),
  ]);
  expect(new Set(some)).toEqual(all);
});

describe('the requirements', () => {
  it('name every check in the current version, for which npm run build adds missing ones', () => {
    const current = currentRequirements(contract);
    expect(readRequirements(contract.bundle.info.version)).toEqual(current);
    expect(new Set(current.checks).size).toBe(current.checks.length);
  });

  it('refuse an unknown version, and list the known ones', () => {
    expect(() => readRequirements('0.9.0')).toThrow(`Use ${contract.bundle.info.version}.`);
  });
});
