/** The stories of transactions as the reference service tells them, for rules that tell them differently. */
import type { Json, JsonObject } from '../../../../contract/src/model.ts';
import { readMachines, type TransactionKind } from '../../../../contract/src/reference-model.ts';
import { toObject } from '../alteration.ts';
import type { Library } from './memory.ts';
import { BUNDLE, PLACES, type Shown } from './places.ts';

export const MACHINES = readMachines(BUNDLE);

/** Observations of a transaction. Times are in milliseconds since 1970. */
export interface Story {
  readonly id: string;
  readonly kind: TransactionKind;
  /** Statuses in which the reference service has shown it, each with the time of its first observation. */
  readonly seen: Map<string, number>;
  /** The last value of each field. */
  readonly fields: JsonObject;
  /** Reads that showed each status. */
  readonly reads: Map<string, number>;
}

export class Stories {
  readonly #library: Library;
  readonly #stories = new Map<string, Story>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** The story of the body's transaction, extended by the body. */
  tell(place: Shown, body: JsonObject): Story {
    const id = String(body['transaction_id']);
    const kind = place.kind ?? 'payment';
    const story = this.#stories.get(id) ?? { id, kind, seen: new Map(), fields: {}, reads: new Map() };
    this.#stories.set(id, story);
    const status = String(body['status']);
    for (const one of [...missedBefore(story, status), status])
      if (!story.seen.has(one)) story.seen.set(one, Date.now());
    Object.assign(story.fields, structuredClone(body));
    return story;
  }

  /** The body of the transaction in another status at the same place; undefined if the place never shows that. */
  as(status: string, { on, code }: Shown, { fields }: Story): JsonObject | undefined {
    const place = PLACES.find((one) => one.on === on && one.code === code && one.status === status);
    const template = toObject(place && this.#bodyIn(place));
    if (!place || Object.keys(template).length === 0) return undefined;
    const names = place.fields.filter(({ path }) => path.length === 1).map(({ path }) => path[0] as string);
    const values = names.flatMap((name): [string, Json][] => {
      const value = fields[name] ?? template[name];
      return value === undefined ? [] : [[name, name === 'status' ? status : value]];
    });
    return Object.fromEntries(values);
  }

  #bodyIn({ kind, status, id }: Shown): Json | undefined {
    const read = PLACES.find((one) => one.kind === kind && one.status === status && /^get/.test(one.on));
    return this.#library[id]?.[0] ?? this.#library[read?.id ?? '']?.[0];
  }
}

/** The status between this one and the last, which can pass unseen. */
function missedBefore({ kind, seen }: Story, status: string): string[] {
  const last = [...seen.keys()].at(-1) ?? null;
  const leading = (BUNDLE['x-state-machines'][kind]?.transitions ?? []).filter(
    ({ from, to, tolerated }) => to === status && !tolerated && from !== null,
  );
  if (seen.has(status) || leading.some(({ from }) => from === last)) return [];
  return leading.flatMap(({ from }) => (MACHINES.allows(kind, last, from ?? '') ? (from ?? []) : [])).slice(0, 1);
}

/** The status before this one in the story. */
export function statusBefore({ seen }: Story, status: string): string | undefined {
  const statuses = [...seen.keys()];
  return statuses[statuses.indexOf(status) - 1];
}

/** Replaces the statements of one body by another's. */
export function replace(body: JsonObject, other: JsonObject): void {
  for (const name of Object.keys(body)) delete body[name];
  Object.assign(body, other);
}
