/**
 * Links to a state of a walkthrough: `?play=payout&seed=k3x9&steps=1.decline-LIMIT_EXCEEDED.later-15m`. They have a seed and all
 * that the reader did, from which the same state follows. Pure functions.
 */
import type { Walkthrough } from '../../walkthroughs.ts';
import { FAULTS } from './faults.ts';

/** Something that a reader does: `next`, `later-2h`, `decline-CODE`, `fault-NAME`, or an event of the sandbox such as `pay`. */
export type Action = string;

export interface Play {
  seed: string;
  actions: Action[];
}

/** More than any walkthrough needs. */
export const ACTIONS_MAX = 60;

/** The action "next step". In links, a number stands for that many steps. */
export const NEXT: Action = 'next';

export const LATER = ['15m', '2h', '3d'];

const SEED = /^[a-z\d]{1,16}$/;

/** An action in two parts, such as `decline` and `LIMIT_EXCEEDED`. Events of the sandbox have no second one. */
export function splitAction(action: Action): [verb: string, object: string | undefined] {
  const [, verb, object] = /^(later|decline|fault)-(.+)$/.exec(action) ?? [];
  return verb === undefined ? [action, undefined] : [verb, object];
}

/** Parses the state from an address. Throws an Error that names the invalid part. */
export function readLink(query: URLSearchParams, walkthrough: Pick<Walkthrough, 'events' | 'declines'>): Play {
  const [seed, steps] = [query.get('seed') ?? freshSeed(), query.get('steps') ?? ''];
  if (!SEED.test(seed)) throw new Error(`This link has the seed "${seed}". Use 1 to 16 lowercase letters and digits.`);
  const actions = steps.split('.').flatMap((step): Action[] => {
    if (step === '') return [];
    if (/^\d{1,3}$/.test(step)) return Array(Number(step)).fill(NEXT);
    if (!isKnown(step, walkthrough)) throw new Error(unknownStep(step, walkthrough));
    return [step];
  });
  if (actions.length > ACTIONS_MAX)
    throw new Error(`This link has ${actions.length} steps. Use at most ${ACTIONS_MAX}.`);
  return { seed, actions };
}

/** The query of an address that leads to a state. */
export function formatLink(name: string, { seed, actions }: Play): string {
  const steps: string[] = [];
  for (const action of actions) {
    const last = Number(steps.at(-1));
    if (action !== NEXT) steps.push(action);
    else if (last > 0) steps[steps.length - 1] = String(last + 1);
    else steps.push('1');
  }
  return `?${new URLSearchParams({ play: name, seed, ...(steps.length > 0 && { steps: steps.join('.') }) })}`;
}

export function freshSeed(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return random.toString(36);
}

function isKnown(action: Action, { events, declines }: Pick<Walkthrough, 'events' | 'declines'>): boolean {
  const [verb, object = ''] = splitAction(action);
  if (verb === 'later') return LATER.includes(object);
  if (verb === 'decline') return Object.hasOwn(declines, object);
  if (verb === 'fault') return Object.hasOwn(FAULTS, object);
  return Object.hasOwn(events, action);
}

function unknownStep(step: string, { events, declines }: Pick<Walkthrough, 'events' | 'declines'>): string {
  const objects = { decline: Object.keys(declines), fault: Object.keys(FAULTS), later: LATER };
  const [verb] = splitAction(step);
  const known = Object.hasOwn(objects, verb)
    ? objects[verb as keyof typeof objects].map((one) => `${verb}-${one}`)
    : [];
  const all = [
    'a number of steps',
    ...Object.keys(events),
    'decline-CODE',
    'fault-NAME',
    ...LATER.map((by) => `later-${by}`),
  ];
  return `This link has the step "${step}". Use one of: ${(known.length > 0 ? known : all).join(', ')}.`;
}
