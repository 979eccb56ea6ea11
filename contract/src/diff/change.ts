/**
 * Changes that a comparison of two documents finds, and the rule that rates them.
 * A change narrows or widens the set of valid messages; who sends the message decides whether that breaks:
 * a sender is broken by a narrower set, a reader by a wider one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../model.ts';
import { toPointer } from '../pointer.ts';

export type Level = 'major' | 'minor' | 'patch';

/** Receiver of a message. A webhook goes to the merchant, like a response. */
export type Direction = 'toService' | 'toMerchant';

/**
 * Effect of a change on the set of valid messages. `alters`: neither set contains the other, or the relation is
 * unknown.
 */
export type Effect = 'narrows' | 'widens' | 'alters';

export interface Change {
  level: Level;
  /** Its place in the new document, or in the old one if it is gone. */
  pointer: string;
  message: string;
  /** The reason why it breaks; only for major changes. */
  why?: string;
  /** The messages that it shows in, such as `createPayment request`. Empty when it is in none. */
  places: string[];
}

/** The levels from the gravest. */
export const LEVELS: readonly Level[] = ['major', 'minor', 'patch'];

const REFUSED = 'The service refuses requests that were valid before.';
const UNEXPECTED = 'Readers get messages that the old document ruled out.';
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

/** State of a comparison: both documents, the changes found, and the locations visited. */
export class Comparison {
  readonly base: JsonObject;
  readonly revision: JsonObject;
  /** Pointers that a reference led to, from either document. */
  readonly reached = new Set<string>();
  readonly #changes = new Map<string, Change>();
  readonly #same: ReadonlySet<string>;

  constructor(base: JsonObject, revision: JsonObject) {
    this.base = base;
    this.revision = revision;
    this.#same = sameComponents(base, revision);
  }

  /** Whether two values are equal, and so is everything that they refer to. Most schemas are, in many messages each. */
  same(before: Json, after: Json): boolean {
    return isDeepStrictEqual(before, after) && references(before).every((pointer) => this.#same.has(pointer));
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

/** Pointers to components that are equal in both documents, including everything they reference. */
function sameComponents(base: JsonObject, revision: JsonObject): Set<string> {
  const [old, now] = [components(base), components(revision)];
  const equal = [...old].filter(([pointer, value]) => isDeepStrictEqual(value, now.get(pointer)));
  const same = new Map(equal.map(([pointer, value]) => [pointer, references(value)]));
  let size = 0;
  while (size !== same.size) {
    size = same.size;
    for (const [pointer, used] of same) if (!used.every((one) => same.has(one))) same.delete(pointer);
  }
  return new Set(same.keys());
}

function components(document: JsonObject): Map<string, Json> {
  const kinds = Object.entries((document['components'] ?? {}) as Record<string, JsonObject>);
  return new Map(
    kinds.flatMap(([kind, all]) =>
      Object.entries(all).map(([name, value]) => [toPointer('components', kind, name), value] as const),
    ),
  );
}

function references(value: Json): string[] {
  return Array.from(JSON.stringify(value).matchAll(/"\$ref":"#([^"]*)"/g), (found) => found[1] ?? '');
}

/** A message of the contract, in which the comparison is at present. */
export interface Scope {
  comparison: Comparison;
  direction: Direction;
  place: string;
}

/** Records a change by its effect on the set of valid messages. */
export function effect(scope: Scope, kind: Effect, pointer: string, message: string): void {
  scope.comparison.add({ ...VERDICTS[scope.direction][kind], pointer, message }, scope.place);
}

/** Records an addition that affects no existing user. */
export function addition(scope: Scope, pointer: string, message: string): void {
  scope.comparison.add({ level: 'minor', pointer, message }, scope.place);
}

/** Records the removal of a name, which is breaking for senders and readers. */
export function removal(scope: Scope, pointer: string, message: string): void {
  const why =
    scope.direction === 'toService' ? 'Callers that send it are refused.' : 'Readers that rely on it get none.';
  scope.comparison.add({ level: 'major', pointer, message, why }, scope.place);
}
