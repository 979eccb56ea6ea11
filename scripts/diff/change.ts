/**
 * What a comparison of two documents finds, and the rule that rates it.
 * A change narrows or widens the set of valid messages; who sends the message decides whether that breaks:
 * a sender is broken by a narrower set, a reader by a wider one.
 */
import type { JsonObject } from '../../contract/src/model.ts';

export type Level = 'major' | 'minor' | 'patch';

/** Who a message goes to. A webhook goes to the merchant, like a response. */
export type Direction = 'toService' | 'toMerchant';

/** What a change does to the set of valid messages. `alters`: neither set contains the other, or nobody knows. */
export type Effect = 'narrows' | 'widens' | 'alters';

export interface Change {
  level: Level;
  /** Where it is written: in the new document, or in the released one when it is gone. */
  pointer: string;
  message: string;
  /** Why it breaks; only for major changes. */
  why?: string;
  /** The messages that it shows in, such as `createPayment request`. Empty when it is in none. */
  places: string[];
}

/** The levels from the gravest. */
export const LEVELS: readonly Level[] = ['major', 'minor', 'patch'];

const REFUSED = 'The service refuses requests that were valid before.';
const UNEXPECTED = 'Readers get messages that the released document ruled out.';
const UNORDERED = 'Neither rule contains the other, so messages that were valid before may not be any more.';

const VERDICTS: Record<Direction, Record<Effect, { level: Level; why?: string }>> = {
  toService: {
    narrows: { level: 'major', why: REFUSED },
    widens: { level: 'minor' },
    alters: { level: 'major', why: UNORDERED },
  },
  toMerchant: {
    narrows: { level: 'minor' },
    widens: { level: 'major', why: UNEXPECTED },
    alters: { level: 'major', why: UNORDERED },
  },
};

/** A comparison under way: both documents, what was found, and what was looked at. */
export class Comparison {
  readonly base: JsonObject;
  readonly revision: JsonObject;
  /** Pointers that a reference led to, from either document. */
  readonly reached = new Set<string>();
  readonly #changes = new Map<string, Change>();

  constructor(base: JsonObject, revision: JsonObject) {
    this.base = base;
    this.revision = revision;
  }

  /** Notes a change. The same change of a shared component is one entry with several places. */
  add(change: Omit<Change, 'places'>, place?: string): void {
    const key = `${change.level} ${change.pointer} ${change.message}`;
    const known = this.#changes.get(key) ?? { ...change, places: [] };
    if (place && !known.places.includes(place)) known.places.push(place);
    this.#changes.set(key, known);
  }

  /** All changes, the gravest first, otherwise in the order of the document. */
  changes(): Change[] {
    return LEVELS.flatMap((level) => [...this.#changes.values()].filter((change) => change.level === level));
  }
}

/** A message of the contract, in which the comparison is at present. */
export interface Scope {
  comparison: Comparison;
  direction: Direction;
  place: string;
}

/** Notes a change by what it does to the set of valid messages. */
export function effect(scope: Scope, kind: Effect, pointer: string, message: string): void {
  scope.comparison.add({ ...VERDICTS[scope.direction][kind], pointer, message }, scope.place);
}

/** Notes something that is new and that nobody has to deal with. */
export function addition(scope: Scope, pointer: string, message: string): void {
  scope.comparison.add({ level: 'minor', pointer, message }, scope.place);
}

/** Notes that something named is gone. It breaks in both directions: somebody sends it, or reads it. */
export function removal(scope: Scope, pointer: string, message: string): void {
  const why =
    scope.direction === 'toService' ? 'Callers that send it are refused.' : 'Readers that rely on it get none.';
  scope.comparison.add({ level: 'major', pointer, message, why }, scope.place);
}
