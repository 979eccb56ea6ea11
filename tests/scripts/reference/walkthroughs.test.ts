/** The walkthroughs as data for their player, and links to their states. */
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { requestBodies } from '../../../contract/src/validators.ts';
import { ACTIONS_MAX, formatLink, NEXT, readLink } from '../../../scripts/reference/vitepress/try-it/play-link.ts';
import { createWalkthrough, listWalkthroughs, type Walkthrough } from '../../../scripts/reference/walkthroughs.ts';

const bundle = readBundle();
const names = Object.values(listWalkthroughs()).flat();
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
    const known = schema?.anyOf?.flatMap((branch) => branch.enum ?? []) ?? [];
    expect(known.length).toBeGreaterThan(5);
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
