/** The Arazzo workflows pass against a service that behaves, and fail at the step where one does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Json, readBundle } from '../../../contract/src/model.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { API_KEY, type Behaviour, startService } from './service.ts';

const FOLDER = join(ROOT, 'openapi/workflows');
const SUFFIX = '.arazzo.yaml';
const WORKFLOWS = readdirSync(FOLDER).filter((file) => file.endsWith(SUFFIX));

/** Runs a workflow against a service of its own. */
async function play(workflow: string, behaviour: Behaviour, { key = API_KEY, verbose = false } = {}) {
  const service = await startService(behaviour);
  try {
    const inputs = { api_key: key, order_id: 'order-workflows-1' };
    const args = Object.entries(inputs).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    if (verbose) args.push('--verbose');
    const file = join(FOLDER, workflow + SUFFIX);
    const { code, stdout } = await redocly(['respect', file, '-S', `api=${service.url}`, ...args], {
      allowFailure: true,
    });
    // Attempts that are repeated are marked as failed too; the last one is what the run ended with.
    const failed = [...stdout.matchAll(/✗ .* - step (\S+)/g)].at(-1)?.[1];
    return { code, stdout, failed, calls: service.calls, bodies: service.bodies };
  } finally {
    await service.close();
  }
}

const H2H = [
  ...['CREATED', 'CREATED', 'EXTRA_DATA_NEEDED', 'EXTRA_DATA_NEEDED'],
  ...['PAY_CONFIRMATION_NEEDED', 'VERIFYING', 'VERIFYING', 'SUCCESS'],
];

const SOUND = [
  {
    workflow: 'h2h-payment',
    behaviour: { states: H2H },
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
    behaviour: { states: ['CREATED', 'VERIFYING', 'SUCCESS'], redirect: true },
    calls: ['POST /payments', 'GET /payments/ID', 'GET /payments'],
  },
  {
    workflow: 'declined-payment',
    behaviour: { states: ['CREATED', 'CREATED', 'FAILED'] },
    calls: ['POST /payments', 'GET /payments/ID'],
  },
  {
    workflow: 'payout',
    behaviour: { states: ['PROCESSING', 'PROCESSING', 'SUCCESS'] },
    calls: ['POST /payouts', 'GET /payouts/ID', 'GET /merchant/balance'],
  },
  {
    workflow: 'declined-payout',
    behaviour: { states: ['PROCESSING', 'PROCESSING', 'FAILED'] },
    calls: ['POST /payouts', 'GET /payouts/ID'],
  },
];

const BROKEN: { workflow: string; defect: string; behaviour: Behaviour; step: string }[] = [
  {
    workflow: 'h2h-payment',
    defect: 'never asks for data',
    behaviour: { states: ['CREATED', 'PAY_CONFIRMATION_NEEDED'] },
    step: 'await-data-request',
  },
  {
    workflow: 'h2h-payment',
    defect: 'does not take the data',
    behaviour: { states: H2H, broken: 'POST /payments/ID/clarify' },
    step: 'clarify',
  },
  {
    workflow: 'h2h-payment',
    defect: 'settles without a transfer',
    behaviour: { states: ['CREATED', 'EXTRA_DATA_NEEDED', 'SUCCESS'] },
    step: 'await-transfer-request',
  },
  {
    workflow: 'h2h-payment',
    defect: 'does not take the confirmation',
    behaviour: { states: H2H, broken: 'POST /payments/ID/confirm' },
    step: 'confirm',
  },
  {
    workflow: 'h2h-payment',
    defect: 'refuses the settlement',
    behaviour: { states: [...H2H.slice(0, -1), 'FAILED'] },
    step: 'await-settlement',
  },
  {
    workflow: 'h2h-payment',
    defect: 'hides the balance',
    behaviour: { states: H2H.slice(1), broken: 'GET /merchant/balance' },
    step: 'read-balance',
  },
  {
    workflow: 'redirect-payment',
    defect: 'names no payment page',
    behaviour: { states: ['CREATED'] },
    step: 'create',
  },
  {
    workflow: 'redirect-payment',
    defect: 'declines at once',
    behaviour: { states: ['CREATED', 'FAILED'], redirect: true },
    step: 'get-by-transaction-id',
  },
  {
    workflow: 'redirect-payment',
    defect: 'does not find the order',
    behaviour: { states: ['CREATED'], redirect: true, broken: 'GET /payments' },
    step: 'find-by-order-id',
  },
  {
    workflow: 'declined-payment',
    defect: 'goes on instead',
    behaviour: { states: ['CREATED', 'VERIFYING', 'SUCCESS'] },
    step: 'await-decline',
  },
  {
    workflow: 'payout',
    defect: 'declines',
    behaviour: { states: ['PROCESSING', 'FAILED'] },
    step: 'await-completion',
  },
  {
    workflow: 'declined-payout',
    defect: 'pays out instead',
    behaviour: { states: ['PROCESSING', 'SUCCESS'] },
    step: 'await-decline',
  },
];

describe.concurrent('a workflow', () => {
  it.each(SOUND)(
    '$workflow passes when the service behaves, and prints no key',
    async ({ workflow, behaviour, calls }) => {
      const played = await play(workflow, behaviour, { verbose: true });
      expect(played.code, played.stdout).toBe(0);
      expect(played.stdout).toContain('authorization: Bearer ****');
      expect(played.stdout).not.toContain(API_KEY);
      expect(played.calls).toEqual(calls);
      expect(played.bodies[0]).toMatchObject({ merchant_order_id: 'order-workflows-1' });
    },
  );

  it.each(BROKEN)('$workflow fails when the service $defect', async ({ workflow, behaviour, step }) => {
    const played = await play(workflow, behaviour);
    expect(played.code, played.stdout).toBe(1);
    expect(played.failed).toBe(step);
  });

  it('fails at its first step with a key that the service does not know', async () => {
    const { behaviour } = SOUND[0] ?? { behaviour: { states: [] } };
    const played = await play('h2h-payment', behaviour, { key: 'sk_test_unknown_0123456789' });
    expect(played).toMatchObject({ code: 1, failed: 'create', calls: ['POST /payments'] });
  });
});

describe('the workflows', () => {
  it('are all played here, sound and broken', () => {
    const names = WORKFLOWS.map((file) => file.replace(SUFFIX, ''));
    expect([...new Set(SOUND.map(({ workflow }) => workflow))].sort()).toEqual(names);
    expect([...new Set(BROKEN.map(({ workflow }) => workflow))].sort()).toEqual(names);
  });

  it.each(WORKFLOWS)('%s takes its default inputs from the examples of the contract', (file) => {
    const known = new Set(scalars(Object.values(readBundle().components.examples).map(({ value }) => value)));
    const { properties } = parse(readFileSync(join(FOLDER, file), 'utf8')).workflows[0].inputs;
    const defaults = Object.values<{ default?: Json }>(properties).flatMap((input) => input.default ?? []);
    expect(defaults.length).toBeGreaterThan(0);
    expect(defaults.filter((value) => !known.has(String(value)))).toEqual([]);
  });
});

function scalars(value: Json): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [String(value)];
}
