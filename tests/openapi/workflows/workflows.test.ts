/** The Arazzo workflows pass on a correct service. workflows.long.test.ts breaks it at each step. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Json, readBundle } from '../../../contract/src/model.ts';
import { H2H, play, toFile, WORKFLOWS } from './play.ts';
import { API_KEY } from './service.ts';

const SOUND = [
  {
    workflow: 'h2h-payment',
    behavior: { states: H2H },
    calls: [
      'POST /payments',
      'GET /payments/ID',
      'POST /payments/ID/clarify',
      'GET /payments/ID',
      'POST /payments/ID/confirm',
      'GET /payments/ID',
      'GET /merchant/balance',
    ],
  },
  {
    workflow: 'redirect-payment',
    behavior: { states: ['CREATED', 'VERIFYING', 'SUCCESS'], redirect: true },
    calls: ['POST /payments', 'GET /payments/ID', 'GET /payments'],
  },
  {
    workflow: 'declined-payment',
    behavior: { states: ['CREATED', 'CREATED', 'FAILED'] },
    calls: ['POST /payments', 'GET /payments/ID'],
  },
  {
    workflow: 'payout',
    behavior: { states: ['PROCESSING', 'PROCESSING', 'SUCCESS'] },
    calls: ['POST /payouts', 'GET /payouts/ID', 'GET /merchant/balance'],
  },
  {
    workflow: 'declined-payout',
    behavior: { states: ['PROCESSING', 'PROCESSING', 'FAILED'] },
    calls: ['POST /payouts', 'GET /payouts/ID'],
  },
];

describe.concurrent('played on a service, the workflows', () => {
  it('pass on a correct service, and print no key', async () => {
    const behaviors = Object.fromEntries(SOUND.map(({ workflow, behavior }) => [workflow, behavior]));
    const played = await play(behaviors, { verbose: true });
    expect(played.code, played.stdout).toBe(0);
    expect(played.stdout).toContain('authorization: Bearer ****');
    expect(played.stdout).not.toContain(API_KEY);
    expect(played.calls).toEqual(SOUND.flatMap(({ calls }) => calls));
    const orders = played.bodies.flatMap(({ merchant_order_id }) => merchant_order_id ?? []);
    expect(orders).toEqual(SOUND.map(() => 'order-workflows-1'));
  });

  it('fail at their first step with an unknown key', async () => {
    const played = await play({ 'h2h-payment': { states: H2H } }, { key: 'sk_test_unknown_0123456789' });
    expect(played).toMatchObject({ code: 1, failed: 'create', calls: ['POST /payments'] });
  });
});

describe('the workflows', () => {
  it('are all covered here', () => {
    expect(SOUND.map(({ workflow }) => workflow).sort()).toEqual([...WORKFLOWS].sort());
  });

  it.each(WORKFLOWS)("%s takes its default inputs from the contract's examples", (workflow) => {
    const known = new Set(scalars(Object.values(readBundle().components.examples).map(({ value }) => value)));
    const { properties } = parse(readFileSync(toFile(workflow), 'utf8')).workflows[0].inputs;
    const defaults = Object.values<{ default?: Json }>(properties).flatMap((input) => input.default ?? []);
    expect(defaults.length).toBeGreaterThan(0);
    expect(defaults.filter((value) => !known.has(String(value)))).toEqual([]);
  });
});

function scalars(value: Json): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [String(value)];
}
