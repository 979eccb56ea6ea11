/** The walkthroughs as data for their player, and links to their states. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, readBundle } from '../../../contract/src/model.ts';
import { OTHER_DECLINES } from '../../../contract/src/other-declines.ts';
import { requestBodies } from '../../../contract/src/validators.ts';
import { startSandbox } from '../../../gateway/src/page.ts';
import { FAULTS } from '../../../scripts/reference/vitepress/try-it/faults.ts';
import {
  ACTIONS_MAX,
  type Action,
  formatLink,
  NEXT,
  readLink,
} from '../../../scripts/reference/vitepress/try-it/play-link.ts';
import { BLANK, type Progress, runWalkthrough } from '../../../scripts/reference/vitepress/try-it/run-walkthrough.ts';
import { createWalkthrough, listWalkthroughs, type Walkthrough } from '../../../scripts/reference/walkthroughs.ts';
import { afterwards } from '../../gateway/harness.ts';

const bundle = readBundle();
const names = listWalkthroughs();
const all = names.map((name) => createWalkthrough(bundle, name));
const [h2h] = all as [Walkthrough];

describe('a walkthrough', () => {
  it('exists for each one of the chapter, with the same steps', () => {
    const { description } = bundle.info;
    const printed = [...description.matchAll(/^\*\*\d+\. (.+)\*\*$/gm)].map(([, title]) => title);
    expect(names.length).toBeGreaterThan(2);
    expect(all.flatMap(({ steps }) => steps.map(({ title }) => title))).toEqual(printed);
  });

  it.each(all)('$name has requests accepted by the contract, once the order ID is filled in', ({ kind, steps }) => {
    const [create] = steps;
    const text = JSON.stringify(create?.request?.body).replaceAll('{order_id}', 'order-1');
    const validate = requestBodies[kind === 'payment' ? 'createPayment' : 'createPayout'];
    expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
    expect(text).not.toContain('$');
    for (const { request } of steps) expect(request?.target ?? '').not.toMatch(/[${](?!transaction_id|order_id)/);
  });

  it.each(all)('$name has an event of the sandbox for each awaited status', ({ steps, events }) => {
    const awaited = steps.flatMap(({ awaits }) => awaits ?? []);
    expect(awaited.length).toBeGreaterThan(0);
    expect(Object.values(events)).toEqual(expect.arrayContaining(awaited));
    for (const { event } of steps) if (event) expect(Object.keys(events)).toContain(event);
  });

  it.each(all)('$name has a customer and advice for each decline code of its kind', ({ kind, declines }) => {
    const schema = bundle.components.schemas[kind === 'payment' ? 'PaymentDeclineReason' : 'PayoutDeclineReason'];
    const inTable = schema?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
    const known = [...inTable, ...Object.keys(OTHER_DECLINES[kind])];
    expect(inTable.length).toBeGreaterThan(5);
    expect(Object.keys(declines).sort()).toEqual(known.map(String).sort());
  });
});

describe('a link', () => {
  const read = (query: string) => readLink(new URLSearchParams(query), h2h);

  it('restores its seed and actions', () => {
    const play = {
      seed: 'k3x9',
      actions: [NEXT, NEXT, 'fault-drop', NEXT, 'decline-LIMIT_EXCEEDED', 'later-15m', 'pay'],
    };
    const link = formatLink('h2h-payment', play);
    expect(link).toBe('?play=h2h-payment&seed=k3x9&steps=2.fault-drop.1.decline-LIMIT_EXCEEDED.later-15m.pay');
    expect(read(link)).toEqual(play);
  });

  it('without steps leads to the beginning, and without a seed has a new one', () => {
    expect(formatLink('payout', { seed: 'a', actions: [] })).toBe('?play=payout&seed=a');
    const [one, other] = [read('play=h2h-payment'), read('play=h2h-payment')];
    expect(one.actions).toEqual([]);
    expect(one.seed).toMatch(/^[a-z\d]+$/);
    expect(one.seed).not.toBe(other.seed);
  });

  it.each([
    ['seed=A%20b', 'the seed "A b". Use 1 to 16 lowercase letters and digits'],
    ['seed=', 'the seed ""'],
    ['seed=a&steps=1.jump', 'the step "jump". Use one of: a number of steps, ask-for-data,'],
    ['seed=a&steps=decline', 'the step "decline"'],
    ['seed=a&steps=decline-NONSENSE', 'the step "decline-NONSENSE". Use one of: decline-'],
    ['seed=a&steps=decline-constructor', 'the step "decline-constructor"'],
    ['seed=a&steps=fault-none', 'the step "fault-none". Use one of: fault-'],
    ['seed=a&steps=later-9d', 'the step "later-9d". Use one of: later-15m'],
    ['seed=a&steps=toString', 'the step "toString"'],
    [`seed=a&steps=${ACTIONS_MAX}.1`, `${ACTIONS_MAX + 1} steps. Use at most ${ACTIONS_MAX}`],
  ])('with %s is rejected with the reason', (query, words) => {
    expect(() => read(query)).toThrow(words);
  });
});

async function play(name: string, actions: Action[], seed = 'a'): Promise<Progress> {
  const run = await runWalkthrough(startSandbox, createWalkthrough(bundle, name), seed);
  afterwards(() => run.close());
  let progress = BLANK;
  for (const action of actions) progress = await run.perform(action);
  return progress;
}

const next = (count: number): Action[] => Array(count).fill(NEXT);
const results = ({ log }: Progress) => log.flatMap(({ exchange }) => (exchange ? (exchange.status ?? 'none') : []));
const bodyOf = ({ log }: Progress, index = -1) => log.at(index)?.exchange?.json as JsonObject;

describe('a played walkthrough', () => {
  it.each(listWalkthroughs())('%s can be played to its end, with verified webhooks', async (name) => {
    const { steps } = createWalkthrough(bundle, name);
    const progress = await play(name, next(steps.length));
    expect(progress).toMatchObject({ step: steps.length, isOver: true });
    expect(progress.path.at(-1)).toBe('SUCCESS');
    expect(progress.deliveries.at(-1)).toMatchObject({ status: 'SUCCESS', isRepeated: false });
    expect(progress.deliveries.filter(({ refusal }) => refusal)).toEqual([]);
    expect(progress.trouble).toBe(undefined);
  });

  it('has the times and amounts of the examples', async () => {
    const progress = await play('h2h-payment', next(7));
    expect(bodyOf(progress, 0)['created_at']).toBe('2026-03-02T09:00:00.000Z');
    expect(bodyOf(progress)['balances']).toContainEqual({ currency: 'INR', available: 100049900, pending: 0 });
  });

  it('reaches each status in order', async () => {
    const { path } = await play('h2h-payment', next(5));
    expect(path).toEqual(['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'VERIFYING']);
  });

  it('leads to the same state with the same seed, and to another one with another', async () => {
    const actions = [...next(3), 'fault-duplicate', ...next(1), 'later-15m'];
    const [one, again, other] = [
      await play('h2h-payment', actions),
      await play('h2h-payment', actions),
      await play('h2h-payment', actions, 'b'),
    ];
    expect(again).toEqual(one);
    expect(other.id).not.toBe(one.id);
  });

  it('refuses a step beyond its end', async () => {
    const progress = await play('payout', next(4));
    expect(progress).toMatchObject({ step: 3, isRefused: true });
  });
});

describe('a decline', () => {
  it('before the creation selects a customer whose transactions are declined', async () => {
    const progress = await play('payout', ['decline-LIMIT_EXCEEDED', NEXT]);
    expect(progress.log.at(-1)?.exchange?.body).toMatchObject({ customer: { id: 'decline-LIMIT_EXCEEDED' } });
    expect(progress).toMatchObject({ reason: 'LIMIT_EXCEEDED', isOver: true });
    expect(progress.path).toEqual(['PROCESSING', 'FAILED']);
  });

  it('after the creation fails the transaction, which its webhook reports', async () => {
    const progress = await play('h2h-payment', [...next(5), 'decline-BANK_REJECTED']);
    expect(progress.path.slice(-2)).toEqual(['VERIFYING', 'FAILED']);
    expect(JSON.parse(progress.deliveries.at(-1)?.body ?? '')).toMatchObject({ decline_reason: 'BANK_REJECTED' });
  });

  it('after the end is refused, and leaves the state unchanged', async () => {
    const progress = await play('payout', [...next(3), 'decline-BANK_REJECTED']);
    expect(progress).toMatchObject({ isRefused: true, trouble: expect.stringContaining('is SUCCESS') });
    expect(progress.path.at(-1)).toBe('SUCCESS');
  });
});

describe('an event', () => {
  it('needs a transaction', async () => {
    expect(await play('payout', ['succeed'])).toMatchObject({ isRefused: true, trouble: 'There is no payout yet.' });
  });

  it("can precede the walkthrough's own simulation", async () => {
    const progress = await play('redirect-payment', [...next(2), 'pay', ...next(2)]);
    expect(progress.path).toEqual(['CREATED', 'VERIFYING', 'SUCCESS']);
  });

  it('that supplies the data makes the next step fail, which is then undone', async () => {
    const progress = await play('h2h-payment', [...next(2), 'ask-for-confirmation', NEXT]);
    expect(results(progress)).toEqual([200, 200, 409]);
    expect(progress).toMatchObject({ step: 2, trouble: expect.stringContaining('409') });
  });
});

describe('a fault', () => {
  it('loses the response to a creation, and the same request finds the payment', async () => {
    const progress = await play('h2h-payment', ['fault-dropped_after', ...next(2)]);
    expect(results(progress)).toEqual(['none', 200]);
    expect(progress.deliveries).toHaveLength(1);
    expect(progress.step).toBe(1);
  });

  it.each([
    ['dropped_before', 'none'],
    ['rate_limited', 429],
    ['unavailable', 503],
  ])('%s lets one request fail with %s', async (fault, status) => {
    const progress = await play('payout', [`fault-${fault}`, ...next(4)]);
    expect(results(progress)).toEqual([status, 201, 200, 200]);
  });

  it.each([
    ['drop', [{ isRepeated: false }]],
    ['duplicate', [{ isRepeated: false }, { isRepeated: true }]],
    ['wrong_signature', [{ refusal: "the signature doesn't match" }, { isRepeated: false }]],
    ['stale_timestamp', [{ refusal: 'the timestamp is too old' }, { isRepeated: false }]],
  ])('%s affects one webhook', async (fault, expected) => {
    const { deliveries } = await play('payout', [NEXT, `fault-${fault}`, NEXT]);
    expect(deliveries).toMatchObject(expected);
    expect(deliveries).toHaveLength(expected.length);
  });

  it('is covered by a test', () => {
    const tried = ['dropped_after', 'dropped_before', 'rate_limited', 'unavailable', 'drop', 'duplicate'];
    expect(Object.keys(FAULTS).sort()).toEqual([...tried, 'wrong_signature', 'stale_timestamp'].sort());
  });
});
