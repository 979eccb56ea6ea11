/** Values shown earlier in this run, and values of another merchant from a run on the reference service. */
import type { Json } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import { type Field, findKey, listHolders, type Shown } from './places.ts';

/** Bodies that a valid service showed to another merchant, by place. */
export type Library = Readonly<Record<string, readonly Json[]>>;

export class Memory {
  readonly #library: Library;
  /** Values by subject and field, the first ones first. */
  readonly #shown = new Map<string, Json[]>();
  readonly #ofKind = new Map<string, Json>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** Notes a body as the reference service shows it. */
  note(body: Json | undefined, { kind, fields }: Shown, subject: string): void {
    for (const { path } of fields) {
      for (const { holder, name } of listHolders(body, path)) {
        const value = holder[name] as Json;
        const key = `${subject} ${findKey(holder, path)}`;
        const values = this.#shown.get(key) ?? [];
        if (!same(values.at(-1), value)) this.#shown.set(key, [...values, structuredClone(value)]);
        if (kind) this.#ofKind.set(`${kind} ${path.join('/')}`, structuredClone(value));
      }
    }
  }

  /** The last different value. */
  earlier(subject: string, key: string, now: Json): Json | undefined {
    return this.#shown.get(`${subject} ${key}`)?.findLast((value) => !same(value, now));
  }

  /** A value of the same field and place that another merchant saw. */
  foreign(place: string, path: Field['path'], now: Json): Json | undefined {
    return listValues(this.#library[place] ?? [], path).find((value) => !same(value, now));
  }

  /** The value that a transaction of the kind showed last. */
  ofKind(kind: TransactionKind, path: Field['path'], now: Json): Json | undefined {
    const value = this.#ofKind.get(`${kind} ${path.join('/')}`);
    return value === undefined || same(value, now) ? undefined : value;
  }
}

function listValues(bodies: readonly Json[], path: Field['path']): Json[] {
  return bodies.flatMap((body) => listHolders(body, path).map(({ holder, name }) => holder[name] as Json));
}

function same(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
