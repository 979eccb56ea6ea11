/** The `Prefer` header (RFC 7240), which selects the response. */
import type { JsonObject, Operation, Response } from '../model.ts';
import { invalid, Refusal } from './problems.ts';
import { ID } from './status-examples.ts';

/** The selected response. Without an example it is the first of the status. */
export interface Selection {
  status: number;
  example?: string;
  /** Generate a body from the schema. */
  dynamic: boolean;
  /** Milliseconds before the response is sent. */
  delay?: number;
}

/** The longest delay in milliseconds. */
export const DELAY_MAX = 30_000;

const POINTER = '/prefer';

/** The preferences of the header by name. Those that the mock doesn't know have no effect, as RFC 7240 has it. */
export function readPreferences(header: string | string[] | undefined): Map<string, string> {
  const parts = [header ?? []].flat().join(',').split(/[,;]/);
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split(/=(.*)/s);
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, '$1')];
    }),
  );
}

/**
 * The response that the preferences select, or else the first example of a transaction that the parameters name.
 * Throws a refusal that lists the valid values if the preferences select nothing.
 */
export function select(
  operation: Operation,
  preferences: ReadonlyMap<string, string>,
  parameters: Readonly<Record<string, string>>,
): Selection {
  const dynamic = readDynamic(preferences.get('dynamic'));
  const delay = readDelay(preferences.get('delay'));
  const code = preferences.get('code');
  const candidates =
    code === undefined ? operation.responses : operation.responses.filter(({ status }) => status === code);
  if (candidates.length === 0) throw unknownCode(operation, code ?? '');
  const isFree = code === undefined && !dynamic && !preferences.has('example');
  const example = preferences.get('example') ?? (isFree ? exampleNamedBy(parameters, candidates) : undefined);
  if (isFree && example === undefined) refuseUnknownId(operation, parameters);
  const response =
    example === undefined ? candidates[0] : candidates.find((candidate) => namesOf(candidate).includes(example));
  if (!response) throw unknownExample(operation, candidates, example ?? '');
  return { status: Number(response.status), ...(example !== undefined && { example }), dynamic, delay };
}

function exampleNamedBy(parameters: Readonly<Record<string, string>>, responses: Response[]): string | undefined {
  const given = Object.values(parameters);
  const examples = responses.flatMap(({ body }) => body?.examples ?? []);
  return examples.find(({ value }) => {
    const { transaction_id: id, merchant_order_id: order } = value as JsonObject;
    return given.some((one) => one === id || one === order);
  })?.name;
}

/** IDs of letters alone select a response. One that selects nothing is misspelled; any other ID may be a program's own. */
const SELECTING_ID = /^[a-z]+_[A-Za-z_-]+$/;

function refuseUnknownId(
  { parameters: declared, responses }: Operation,
  given: Readonly<Record<string, string>>,
): void {
  const examples = responses.flatMap(({ body }) => body?.examples ?? []);
  const ids = examples.map(({ value }) => String((value as JsonObject)[ID])).filter((id) => SELECTING_ID.test(id));
  if (ids.length === 0) return;
  for (const { name, in: place } of declared) {
    const id = given[name] ?? '';
    if ((place !== 'path' && name !== ID) || !SELECTING_ID.test(id)) continue;
    throw new Refusal(404, { detail: `${id} selects no response of the mock. Use one of ${ids.join(', ')}.` });
  }
}

function readDynamic(value: string | undefined): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false') {
    throw invalidPreference(
      `has dynamic=${value}, which must be true or false`,
      'Send `Prefer: dynamic=true`, or leave it out.',
    );
  }
  return value === 'true';
}

function readDelay(value = '0'): number {
  const delay = /^\d{1,9}$/.test(value) ? Number(value) : Number.POSITIVE_INFINITY;
  if (delay > DELAY_MAX) {
    throw invalidPreference(
      `has delay=${value}, which must be an integer from 0 to ${DELAY_MAX}`,
      `Send \`Prefer: delay=500\`, in milliseconds, at most ${DELAY_MAX}.`,
    );
  }
  return delay;
}

function unknownCode({ id, responses }: Operation, code: string): Refusal {
  const codes = responses.map(({ status }) => status).join(', ');
  return invalidPreference(
    `has code=${code}, which ${id} does not document`,
    `Send \`Prefer: code=<code>\` with a code of ${id}: ${codes}.`,
  );
}

function unknownExample({ id }: Operation, candidates: Response[], example: string): Refusal {
  const names = candidates
    .map((response) => `${response.status} has ${namesOf(response).join(', ') || 'none'}`)
    .join('; ');
  return invalidPreference(
    `has example=${example}, which ${id} does not document`,
    `Send \`Prefer: example=<name>\` with an example of ${id}: ${names}.`,
  );
}

/** The refusal of a `Prefer` header. */
export function invalidPreference(message: string, detail: string): Refusal {
  return invalid([{ in: 'header', pointer: POINTER, message }], detail);
}

function namesOf(response: Response): string[] {
  return response.body?.examples.map(({ name }) => name) ?? [];
}
