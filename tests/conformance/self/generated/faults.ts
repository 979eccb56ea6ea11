/** Ways in which a field can be wrong. */
import type { Json, JsonObject, Schema } from '../../../../contract/src/model.ts';
import type { Memory } from './memory.ts';
import { type Field, findKey, listHolders, type Shown } from './places.ts';

/** A body on its way to the kit, its place, and the values shown before. */
export interface Showing {
  readonly body: Json | undefined;
  readonly place: Shown;
  readonly memory: Memory;
  /** Id of the transaction in the body, or the credential of the merchant whose wallets it shows. */
  readonly subject: string;
}

/** Changes the field in its holder; leaves the holder as it is if the fault can't take effect. */
type Apply = (holder: JsonObject, name: string, field: Field, showing: Showing) => void;

const HOUR_MS = 3_600_000;

export const FAULTS = {
  dropped: (holder, name) => {
    delete holder[name];
  },
  null: (holder, name) => {
    holder[name] = null;
  },
  'other-type': (holder, name) => {
    const value = holder[name];
    holder[name] = typeof value === 'string' ? readLength(value) : asText(value);
  },
  'other-value': (holder, name, { schema, known }) => {
    holder[name] = otherValue(holder[name] ?? null, schema, known);
  },
  swapped: (holder, name, field, { place }) => {
    const sibling = listSiblings(place, field).find((one) => one in holder && holder[one] !== holder[name]);
    if (sibling === undefined) return;
    [holder[name], holder[sibling]] = [holder[sibling] ?? null, holder[name] ?? null];
  },
  stale: (holder, name, { path }, { memory, subject }) => {
    put(holder, name, memory.earlier(subject, findKey(holder, path), holder[name] ?? null));
  },
  'of-another-merchant': (holder, name, { path }, { memory, place }) => {
    put(holder, name, memory.foreign(place.id, path, holder[name] ?? null));
  },
  'of-the-other-kind': (holder, name, { path }, { memory, place }) => {
    if (place.kind === undefined) return;
    put(holder, name, memory.ofKind(place.kind === 'payment' ? 'payout' : 'payment', path, holder[name] ?? null));
  },
} satisfies Record<string, Apply>;

export type Fault = keyof typeof FAULTS;

/** The field's faults: only fields with siblings can be swapped, and only transactions have a kind. */
export function listFaults(place: Shown, field: Field): Fault[] {
  return (Object.keys(FAULTS) as Fault[]).filter((fault) => {
    if (fault === 'swapped') return listSiblings(place, field).length > 0;
    // Only transactions and wallets are shown again, or belong to a merchant.
    if (fault === 'stale' || fault === 'of-another-merchant') return !isError(place);
    if (fault === 'of-the-other-kind') return place.kind !== undefined;
    return true;
  });
}

export function isError({ code = 200 }: Shown): boolean {
  return code >= 400;
}

/** Plants the fault wherever the body has the field. Returns whether anything has changed. */
export function plant(fault: Fault, field: Field, showing: Showing): boolean {
  const before = JSON.stringify(showing.body);
  for (const { holder, name } of listHolders(showing.body, field.path)) FAULTS[fault](holder, name, field, showing);
  return JSON.stringify(showing.body) !== before;
}

function put(holder: JsonObject, name: string, value: Json | undefined): void {
  if (value !== undefined) holder[name] = value;
}

/** Neighboring fields of the same type, later ones first, so that each pair is tried. */
function listSiblings({ fields }: Shown, { path, type }: Field): string[] {
  const parent = path.slice(0, -1).join('/');
  const alike = fields.filter((one) => one.type === type && one.path.slice(0, -1).join('/') === parent);
  const names = alike.map((one) => one.path.at(-1) as string);
  const at = names.indexOf(path.at(-1) as string);
  return [...names.slice(at + 1), ...names.slice(0, at)];
}

/** Another value that the schema allows. */
function otherValue(value: Json, schema: Schema, known: readonly Json[]): Json {
  const others = known.filter((one) => one !== value);
  if (others.length > 0) return others[0] as Json;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return otherText(value, schema);
  if (Array.isArray(value)) return otherItems(value, schema);
  return value;
}

function otherText(text: string, { format }: Schema): string {
  if (format === 'date-time') return new Date(Date.parse(text) - HOUR_MS).toISOString();
  if (format === 'uri') return 'https://example.com/elsewhere';
  return `${text}x`;
}

/** One item less, or else another one. */
function otherItems(items: readonly Json[], { items: schema = {} }: Schema): Json[] {
  if (items.length > 1) return items.slice(1);
  return items.map((item) => otherValue(item, schema, schema.enum ?? schema.anyOf?.[0]?.enum ?? []));
}

/** A number that says something about the text, since any would do. */
function readLength(text: string): number {
  return text.length;
}

function asText(value: Json | undefined): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
