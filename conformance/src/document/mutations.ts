/** Invalid bodies: a valid one with one change, for each keyword of its schema. */
import { isObject, type Json, type JsonObject, openEnum, resolve, type Schema } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { Clause, Contract } from './contract.ts';

export interface Mutation {
  /** Place of the change in the body, as a JSON pointer. */
  readonly pointer: string;
  /** The keyword that the change breaks. */
  readonly keyword: string;
  /** Distinguishes several ways to break one keyword. */
  readonly variant: string;
  /** The change in words, such as `amount is 0`. */
  readonly title: string;
  /** The body as JSON text, since not every number survives being parsed. */
  readonly text: string;
  readonly clause: Clause;
}

/** A value in place of an allowed one; `undefined` removes it, and `raw` is JSON text. */
interface Candidate {
  readonly pointer: string;
  readonly variant: string;
  readonly value: Json | undefined;
  readonly raw?: string;
}

type Bounded = Schema & {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minProperties?: number;
  maxProperties?: number;
};

export const UNKNOWN_FIELD = 'field_unknown_to_the_contract';
const UNKNOWN_VALUE = 'UNKNOWN_VALUE';
const PLACEHOLDER = '"\u0001raw\u0001"';
/** Values that a pattern or format rejects. */
const MISFITS: Readonly<Record<string, readonly [variant: string, value: string][]>> = {
  uri: [['no-url', 'not a URL']],
  email: [['no-address', 'nobody']],
  '^https?://([^\\s/?#@]*@)?(\\[[0-9A-Fa-f:.]+\\]|[0-9A-Za-z]([0-9A-Za-z._-]*[0-9A-Za-z])?\\.?)(:[0-9]{1,5})?([/?#]|$)':
    [
      ['other-scheme', 'ftp://shop.example.com/hook'],
      ['no-host', 'https:///hook'],
    ],
  '^[^\\u0000]*$': [['nul', 'a\u0000b']],
};
const PHONE = [
  ['no-plus', '919812345671'],
  ['letters', '+91-CALL-NOW'],
] as const;

/** Every mutation of the body that breaks the schema. */
export function listMutations(contract: Contract, schema: Schema, body: Json): Mutation[] {
  return candidates(contract, schema, body, '').flatMap((candidate) => {
    const mutated = replaced(body, candidate.pointer, candidate.raw === undefined ? candidate.value : PLACEHOLDER);
    const judged = candidate.raw === undefined ? mutated : replaced(body, candidate.pointer, Number(candidate.raw));
    const mistakes = contract.mistakes(schema, judged ?? null);
    const mistake = mistakes.find(({ clause }) => clause.basis === 'specified') ?? mistakes[0];
    if (!mistake) return [];
    const json = mutated === undefined ? '' : JSON.stringify(mutated);
    return [
      {
        pointer: candidate.pointer,
        keyword: mistake.keyword,
        variant: candidate.variant,
        title: formatTitle(candidate),
        text: candidate.raw === undefined ? json : json.replace(JSON.stringify(PLACEHOLDER), candidate.raw),
        clause: mistake.clause,
      },
    ];
  });
}

function formatTitle({ pointer, variant, value, raw }: Candidate): string {
  const place = pointer || 'the body';
  if (variant === 'missing') return `${place} is missing`;
  if (variant === 'unknown') return `${place} is not a field of the contract`;
  const text = raw ?? JSON.stringify(value);
  return `${place} is ${text.length > 40 ? `too long (${text.length} characters of JSON)` : text}`;
}

function candidates(contract: Contract, node: Schema, value: Json | undefined, pointer: string): Candidate[] {
  const schema = resolve(contract.bundle, node) as Bounded;
  const open = openEnum(schema);
  if (open) return candidates(contract, open.open, value, pointer);
  if (schema.allOf) {
    return unique(schema.allOf.flatMap((part) => candidates(contract, part, value, pointer)));
  }
  const make = (variant: string, changed: Json | undefined, raw?: string): Candidate => ({
    ...{ pointer, variant, value: changed },
    ...(raw !== undefined && { raw }),
  });
  const wrong = [make('null', null)];
  if (schema.type === 'string') wrong.push(make('number', 1), make('list', ['x']), ...listStrings(schema, make));
  if (schema.type === 'integer') wrong.push(...listNumbers(schema, make));
  if (schema.type === 'object') {
    wrong.push(make('string', 'x'), make('list', []), ...listMembers(contract, schema, value, pointer, make));
  }
  return wrong;
}

type Make = (variant: string, value: Json | undefined, raw?: string) => Candidate;

function listStrings({ enum: known, format, pattern, minLength, maxLength }: Bounded, make: Make): Candidate[] {
  const phone = pattern?.startsWith('^\\+') ? PHONE : [];
  const misfits = [...(MISFITS[format ?? ''] ?? []), ...(MISFITS[pattern ?? ''] ?? []), ...phone];
  return [
    ...(known
      ? [make('unknown-value', unknownValue(known.map(String))), make('lower-case', String(known[0]).toLowerCase())]
      : []),
    ...misfits.map(([variant, value]) => make(variant, value)),
    ...(minLength ? [make('empty', '')] : []),
    ...(maxLength === undefined ? [] : [make('too-long', longText(format, pattern, maxLength + 1))]),
  ];
}

/** An unknown value, of the same length as the known ones if they share one: services can check the length first. */
function unknownValue(known: readonly string[]): string {
  const [length, ...others] = new Set(known.map((value) => value.length));
  return others.length > 0 ? UNKNOWN_VALUE : UNKNOWN_VALUE.slice(0, length);
}

/** A string of this length that breaks no other keyword. */
function longText(format: string | undefined, pattern: string | undefined, length: number): string {
  if (format === 'uri') return 'https://shop.example.com/'.padEnd(length, 'x');
  if (format === 'email') return `${'x'.repeat(length - '@example.com'.length)}@example.com`;
  if (pattern?.startsWith('^\\+')) return '+919812345671'.padEnd(length, '9');
  return 'x'.repeat(length);
}

function listNumbers({ minimum, maximum }: Bounded, make: Make): Candidate[] {
  return [
    make('string', '100'),
    make('fraction', 100.5),
    make('boolean', true),
    ...(minimum === undefined ? [] : [make('below-minimum', minimum - 1), make('negative', -100)]),
    ...(maximum === undefined
      ? []
      : [make('above-maximum', null, String(BigInt(maximum) + 1n)), make('huge', null, '1e300')]),
  ];
}

function listMembers(
  contract: Contract,
  schema: Bounded,
  value: Json | undefined,
  pointer: string,
  make: Make,
): Candidate[] {
  const fields = isObject(value) ? value : {};
  const extra = schema.additionalProperties;
  return [
    ...(schema.required ?? []).map((name) => ({
      ...{ pointer: pointer + toPointer(name), variant: 'missing', value: undefined },
    })),
    ...(extra === false ? [{ pointer: `${pointer}/${UNKNOWN_FIELD}`, variant: 'unknown', value: 'x' }] : []),
    ...(schema.minProperties ? [make('empty', {})] : []),
    ...(schema.maxProperties === undefined ? [] : [make('too-many', manyMembers(fields, schema.maxProperties + 1))]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      candidates(contract, property, fields[name], pointer + toPointer(name)),
    ),
    ...(typeof extra === 'object'
      ? Object.keys(fields)
          .slice(0, 1)
          .flatMap((name) => candidates(contract, extra, fields[name], pointer + toPointer(name)))
      : []),
  ];
}

function manyMembers(fields: JsonObject, count: number): JsonObject {
  return {
    ...fields,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`item_${index}`, 'x'])),
  };
}

/** Replaces the value at the pointer, and creates missing objects along it. */
function replaced(body: Json, pointer: string, value: Json | undefined): Json | undefined {
  const [name, ...rest] = pointer.split('/').slice(1);
  if (name === undefined) return value;
  const fields = isObject(body) ? body : {};
  const inner = rest.length === 0 ? value : replaced(fields[name] ?? {}, `/${rest.join('/')}`, value);
  if (inner !== undefined) return { ...fields, [name]: inner };
  const { [name]: _removed, ...others } = fields;
  return others;
}

function unique(found: readonly Candidate[]): Candidate[] {
  return [...new Map(found.map((one) => [`${one.pointer} ${one.variant}`, one])).values()];
}
