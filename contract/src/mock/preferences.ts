/** Selects a response from the `Prefer` header (RFC 7240), the ID and the test customer. */
import { type Bundle, type JsonObject, type Operation, type Response, requestExamples } from '../model.ts';
import { invalidRequest, type MockProblem } from './problems.ts';
import { type CheckedCall, exampleOfCustomer, refuseId } from './transactions.ts';
import { createRandom, type Random } from './vary.ts';

/** The selected response. Without an example it is the first of the status. */
export interface SelectedResponse {
  status: number;
  example?: string;
  /** Present if the values of the example have to vary. */
  random?: Random | undefined;
  /** Milliseconds before the response is sent. */
  delay?: number;
}

export interface DocumentedOperations {
  readonly bundle: Bundle;
  readonly operations: readonly Operation[];
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
 * Returns the preferred response. Without preferences, the ID or the test customer decides, and otherwise the first
 * example of the request's flow. Without a match, throws a refusal that lists the valid values.
 */
export function select(
  known: DocumentedOperations,
  call: CheckedCall,
  preferences: ReadonlyMap<string, string>,
): SelectedResponse {
  const { operation } = call;
  const random = readDynamic(preferences.get('dynamic')) ? createRandom(readSeed(preferences.get('seed'))) : undefined;
  const delay = readDelay(preferences.get('delay'));
  const code = preferences.get('code');
  const candidates =
    code === undefined ? operation.responses : operation.responses.filter(({ status }) => status === code);
  const [first] = candidates;
  if (!first) throw unknownCode(operation, code ?? '');
  const wanted = preferences.get('example') ?? (code === undefined ? findExampleName(known, call, first) : undefined);
  const response =
    wanted === undefined ? first : candidates.find((candidate) => listExampleNames(candidate).includes(wanted));
  if (!response) throw unknownExample(operation, candidates, wanted ?? '');
  const usual = namesOfFlow(call, response);
  const example = wanted ?? random?.pick(usual) ?? usual[0];
  return { status: Number(response.status), ...(example !== undefined && { example }), random, delay };
}

/** Returns the example selected by an ID, an order or a test customer. Throws a refusal for a misspelled one. */
function findExampleName(
  { bundle, operations }: DocumentedOperations,
  call: CheckedCall,
  response: Response,
): string | undefined {
  const { operation, parameters } = call;
  const given = Object.values(parameters);
  const named = operation.responses
    .flatMap((one) => one.body?.examples ?? [])
    .find(({ value }) => {
      const { transaction_id: id, merchant_order_id: order } = value as JsonObject;
      return given.some((one) => one === id || one === order);
    });
  if (!named) refuseId(bundle, operations, call);
  return named?.name ?? exampleOfCustomer(bundle, call, listExampleNames(response));
}

/** The response examples whose request has the same fields as this one, such as `return_url`; all of them if none has. */
function namesOfFlow({ operation, body }: CheckedCall, response: Response): string[] {
  const fieldsOf = (one: unknown) =>
    Object.keys((one ?? {}) as JsonObject)
      .sort()
      .join();
  const similar = requestExamples(operation).filter((example) => fieldsOf(example.body) === fieldsOf(body));
  const names = listExampleNames(response).filter((name) => similar.some((example) => example.name === name));
  return names.length > 0 && operation.request ? names : listExampleNames(response);
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

/** Undefined if each response is to differ. */
function readSeed(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) {
    throw invalidPreference(
      `has seed=${value}, which must be an integer from 0 to 999999999`,
      'Send `Prefer: dynamic=true, seed=7`.',
    );
  }
  return Number(value);
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

function unknownCode({ id, responses }: Operation, code: string): MockProblem {
  const codes = responses.map(({ status }) => status).join(', ');
  return invalidPreference(
    `has code=${code}, which ${id} does not document`,
    `Send \`Prefer: code=<code>\` with a code of ${id}: ${codes}.`,
  );
}

function unknownExample({ id }: Operation, candidates: Response[], example: string): MockProblem {
  const names = candidates
    .map((response) => `${response.status} has ${listExampleNames(response).join(', ') || 'none'}`)
    .join('; ');
  return invalidPreference(
    `has example=${example}, which ${id} does not document`,
    `Send \`Prefer: example=<name>\` with an example of ${id}: ${names}.`,
  );
}

export function invalidPreference(message: string, detail: string): MockProblem {
  return invalidRequest([{ in: 'header', pointer: POINTER, message }], detail);
}

function listExampleNames(response: Response): string[] {
  return response.body?.examples.map(({ name }) => name) ?? [];
}
