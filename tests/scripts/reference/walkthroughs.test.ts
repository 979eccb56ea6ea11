/** The walkthroughs: played in the sandbox of the page, compared with their text, and links to their states. */
import { describe, expect, it } from 'vitest';
import { type Json, readBundle } from '../../../contract/src/model.ts';
import { OTHER_DECLINES } from '../../../contract/src/other-declines.ts';
import { startSandbox } from '../../../gateway/src/page.ts';
import { listPrintedSteps } from '../../../scripts/artifacts/walkthrough.ts';
import { FAULTS } from '../../../scripts/reference/vitepress/try-it/faults.ts';
import {
  ACTIONS_MAX,
  type Action,
  formatLink,
  NEXT,
  readLink,
} from '../../../scripts/reference/vitepress/try-it/play-link.ts';
import {
  BLANK,
  type Progress,
  runWalkthrough,
  type Start,
} from '../../../scripts/reference/vitepress/try-it/run-walkthrough.ts';
import { createWalkthrough, listWalkthroughs } from '../../../scripts/reference/walkthroughs.ts';
import { afterwards } from '../../gateway/harness.ts';

const bundle = readBundle();
const all = listWalkthroughs().map((name) => createWalkthrough(bundle, name));
/** Members whose values differ between services. */
const OWN = /^(transaction_id|merchant_id|merchant_order_id|callback_url|redirect_url|receiver_account|\w+_at)$/;
/** The messages of a printed step. */
const REQUEST = /```http\n\S+ \S+(?:\n\n([^`]*))?\n```/;
const RESPONSE = /responds with (\d+):\n\n```json\n([^`]*)```/;
const WEBHOOK = /sends a webhook:\n\n```json\n([^`]*)```/;

const next = (count: number): Action[] => Array(count).fill(NEXT);
const results = ({ log }: Progress) => log.flatMap(({ exchange }) => (exchange ? (exchange.status ?? 'none') : []));

async function play(name: string, actions: Action[], { seed = 'a', start = startSandbox as Start } = {}) {
  const run = await runWalkthrough(start, createWalkthrough(bundle, name), seed);
  afterwards(() => run.close());
  let progress = BLANK;
  for (const action of actions) progress = await run.perform(action);
  return progress;
}

/** Starts a sandbox whose channels stay automatic, such as the one that a reader of the text calls. */
const startAutomatic: Start = async (options) => {
  const page = await startSandbox(options);
  const isSetManual = ({ method, url }: Request) => method === 'PUT' && url.includes('/channels/');
  const respond = async (request: Request) => (isSetManual(request) ? Response.json({}) : page.fetch(request));
  return { url: page.url, addMerchant: page.addMerchant, close: page.close, fetch: respond as typeof fetch };
};

function comparable(value: Json = null): Json {
  return JSON.parse(JSON.stringify(value), (name, member) => (OWN.test(name) ? typeof member : member));
}

describe.each(all)('the walkthrough $name', ({ name, kind, steps, declines }) => {
  it('can be played to its end, with verified webhooks', async () => {
    const progress = await play(name, next(steps.length));
    expect(progress).toMatchObject({ step: steps.length, isOver: true });
    expect(progress.path.at(-1)).toBe('SUCCESS');
    expect(progress.deliveries.at(-1)).toMatchObject({ status: 'SUCCESS', isRepeated: false });
    expect(progress.deliveries.filter(({ refusal }) => refusal)).toEqual([]);
    expect(progress.trouble).toBe(undefined);
  });

  it('has the requests, responses and webhooks of its text', async () => {
    const printed = listPrintedSteps(bundle, name);
    expect(steps.map(({ title }) => title)).toEqual(printed.map(({ title }) => title));
    const progress = await play(name, next(steps.length), { start: startAutomatic });
    for (const [index, { messages }] of printed.entries()) {
      const text = messages.join('\n\n');
      const { body, status, json } = progress.log[index]?.exchange ?? {};
      const [, request] = REQUEST.exec(text) ?? [];
      if (request) expect(comparable(body)).toEqual(comparable(JSON.parse(request)));
      const [, code, response = ''] = RESPONSE.exec(text) ?? [];
      if (code) expect([`${status}`, comparable(json)]).toEqual([code, comparable(JSON.parse(response))]);
      const [, webhook] = WEBHOOK.exec(text) ?? [];
      const sent = progress.deliveries.map((delivery) => comparable(JSON.parse(delivery.body)));
      if (webhook) expect(sent).toContainEqual(comparable(JSON.parse(webhook)));
    }
  });

  it('has a customer and advice for each decline code of its kind', () => {
    const schema = bundle.components.schemas[kind === 'payment' ? 'PaymentDeclineReason' : 'PayoutDeclineReason'];
    const inTable = schema?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
    const known = [...inTable, ...Object.keys(OTHER_DECLINES[kind])];
    expect(inTable.length).toBeGreaterThan(5);
    expect(Object.keys(declines).sort()).toEqual(known.map(String).sort());
  });
});

describe('a link', () => {
  const [h2h] = all;
  const read = (query: string) => readLink(new URLSearchParams(query), h2h as never);

  it('restores its seed and actions', () => {
    const actions = [NEXT, NEXT, 'fault-drop', NEXT, 'decline-LIMIT_EXCEEDED', 'later-15m', 'pay'];
    const link = formatLink('h2h-payment', { seed: 'k3x9', actions });
    expect(link).toBe('?play=h2h-payment&seed=k3x9&steps=2.fault-drop.1.decline-LIMIT_EXCEEDED.later-15m.pay');
    expect(read(link)).toEqual({ seed: 'k3x9', actions });
  });

  it.each([
    ['seed=A%20b', 'the seed "A b". Use 1 to 16 lowercase letters and digits'],
    ['seed=a&steps=1.jump', 'the step "jump". Use one of: a number of steps, ask-for-data,'],
    ['seed=a&steps=decline-constructor', 'the step "decline-constructor". Use one of: decline-'],
    ['seed=a&steps=fault-none', 'the step "fault-none". Use one of: fault-'],
    ['seed=a&steps=later-9d', 'the step "later-9d". Use one of: later-15m'],
    [`seed=a&steps=${ACTIONS_MAX}.1`, `${ACTIONS_MAX + 1} steps. Use at most ${ACTIONS_MAX}`],
  ])('with %s is rejected with the reason', (query, words) => {
    expect(() => read(query)).toThrow(words);
  });
});

describe('a player', () => {
  it('leads to the same state with the same seed, and to another one with another', async () => {
    const actions = [...next(3), 'fault-duplicate', ...next(1), 'later-15m'];
    const one = await play('h2h-payment', actions);
    expect(await play('h2h-payment', actions)).toEqual(one);
    expect((await play('h2h-payment', actions, { seed: 'b' })).id).not.toBe(one.id);
  });

  it.each([
    ['payout', [...next(4)], { step: 3, isRefused: true }],
    ['payout', ['succeed'], { isRefused: true, trouble: 'There is no payout yet.' }],
    ['payout', [...next(3), 'decline-BANK_REJECTED'], { trouble: expect.stringContaining('is SUCCESS') }],
    ['h2h-payment', [...next(2), 'ask-for-confirmation', NEXT], { step: 2, trouble: expect.stringContaining('409') }],
    ['redirect-payment', [...next(2), 'pay', ...next(2)], { path: ['CREATED', 'VERIFYING', 'SUCCESS'] }],
    ['payout', ['decline-LIMIT_EXCEEDED', NEXT], { reason: 'LIMIT_EXCEEDED', path: ['PROCESSING', 'FAILED'] }],
  ])('responds to the actions of %s: %j', async (name, actions, expected) => {
    expect(await play(name, actions)).toMatchObject(expected);
  });

  it('declines a transaction, which its webhook reports', async () => {
    const progress = await play('h2h-payment', [...next(5), 'decline-BANK_REJECTED']);
    expect(progress.path.slice(-2)).toEqual(['VERIFYING', 'FAILED']);
    expect(JSON.parse(progress.deliveries.at(-1)?.body ?? '')).toMatchObject({ decline_reason: 'BANK_REJECTED' });
  });

  it('repeats a creation whose response is lost, and finds the payment', async () => {
    const progress = await play('h2h-payment', ['fault-dropped_after', ...next(2)]);
    expect(results(progress)).toEqual(['none', 200]);
    expect(progress.deliveries).toHaveLength(1);
  });

  const REQUEST_FAULTS: [string, unknown][] = [
    ['dropped_before', 'none'],
    ['rate_limited', 429],
    ['unavailable', 503],
  ];
  it.each(REQUEST_FAULTS)('%s lets one request fail with %s', async (fault, status) => {
    const progress = await play('payout', [`fault-${fault}`, ...next(4)]);
    expect(results(progress)).toEqual([status, 201, 200, 200]);
  });

  const WEBHOOK_FAULTS: [string, object[]][] = [
    ['drop', [{ isRepeated: false }]],
    ['duplicate', [{ isRepeated: false }, { isRepeated: true }]],
    ['wrong_signature', [{ refusal: "the signature doesn't match" }, { isRepeated: false }]],
    ['stale_timestamp', [{ refusal: 'the timestamp is too old' }, { isRepeated: false }]],
  ];
  it.each(WEBHOOK_FAULTS)('%s affects one webhook', async (fault, expected) => {
    const { deliveries } = await play('payout', [NEXT, `fault-${fault}`, NEXT]);
    expect(deliveries).toMatchObject(expected);
    expect(deliveries).toHaveLength(expected.length);
  });

  it('has no fault without a test', () => {
    const tried = [...REQUEST_FAULTS, ...WEBHOOK_FAULTS].map(([fault]) => fault);
    expect(Object.keys(FAULTS).sort()).toEqual([...tried, 'dropped_after'].sort());
  });
});
