/** What a check is, what comes out of it, and the rules that every answer is held to. */
import { isDeepStrictEqual } from 'node:util';
import type { Json, Operation, Response } from '../../contract/src/model.ts';
import { pointerOf } from '../../contract/src/pointer.ts';
import { type Contract, headersOf, member } from './contract.ts';
import { type Exchange, mediaType, NoAnswer } from './http.ts';

/** A rule that an answer breaks. */
export interface Problem {
  /** `status`, `header NAME`, or `body` with a JSON pointer into it. */
  at: string;
  expected: string;
  found: string;
}

export type State = 'passed' | 'failed' | 'not reached';

export interface Outcome {
  state: State;
  problems: Problem[];
  /** Why the check was not reached. */
  reason?: string;
  /** Pointers of the response examples that the service was seen to give. */
  seen: string[];
}

/** `request` replays a request example, `response` provokes a response example, the others look at one rule. */
export type Kind = 'request' | 'response' | 'refusal' | 'repeat';

export interface CheckInfo {
  operation: string;
  kind: Kind;
  /** Name of the example that is sent or provoked. */
  example: string;
  title: string;
  /** Where the contract says what is checked. */
  pointer: string;
}

export interface Check extends CheckInfo {
  run(): Promise<Outcome>;
}

export interface Result extends CheckInfo, Outcome {}

/** Runs a check; that the service gives no answer is a failure of it. */
export async function runCheck({ run, ...info }: Check): Promise<Result> {
  try {
    return { ...info, ...(await run()) };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { ...info, ...judged([{ at: 'answer', expected: 'an HTTP answer', found: error.message }], []) };
  }
}

/** Passed without problems, and then the given response examples were seen. */
export function judged(problems: Problem[], seen: string[]): Outcome {
  return problems.length > 0
    ? { state: 'failed', problems: distinct(problems), seen: [] }
    : { state: 'passed', problems, seen };
}

export function notReached(reason: string): Outcome {
  return { state: 'not reached', problems: [], reason, seen: [] };
}

/** Status, media type, headers and body of an answer against its documented response. */
export function conforms(contract: Contract, operation: Operation, response: Response, exchange: Exchange): Problem[] {
  if (String(exchange.status) !== response.status) {
    return [{ at: 'status', expected: response.status, found: foundStatus(exchange) }];
  }
  return [
    ...headersOf(contract, operation, response).flatMap((header) => {
      const text = exchange.headers.get(header.name);
      if (text === null) {
        return header.required ? [{ at: `header ${header.name}`, expected: 'present', found: 'absent' }] : [];
      }
      const mistakes = contract.validator(header.schema);
      // A header is a text; one that is a number fits either as the one or as the other.
      const asText = mistakes(text);
      const found = asText.length > 0 && /^\d+$/.test(text) ? mistakes(Number(text)) : asText;
      return found.map(({ expected }) => ({
        at: `header ${header.name}`,
        expected,
        found: show(text),
      }));
    }),
    ...conformsBody(contract, response, exchange),
  ];
}

function conformsBody(contract: Contract, { body }: Response, exchange: Exchange): Problem[] {
  if (!body) return [];
  const found = mediaType(exchange);
  const type = found === body.mediaType ? [] : [{ at: 'header content-type', expected: body.mediaType, found }];
  const value = exchange.body;
  if (value === undefined) return [...type, { at: 'body', expected: 'JSON', found: show(exchange.text) }];
  const mistakes = contract
    .validator(body.schema)(value)
    .map(({ pointer, expected }) => ({
      at: bodyAt(pointer),
      expected,
      found: show(valueAt(value, pointer)),
    }));
  const status = member(value, 'status');
  const own = typeof status === 'number' && status !== exchange.status;
  return [
    ...type,
    ...mistakes,
    ...(own ? [{ at: bodyAt('/status'), expected: String(exchange.status), found: show(status) }] : []),
  ];
}

/** A parameter or field of a request whose value the answer shows under other names than its own. */
const SHOWN_AS: Record<string, string[]> = {
  payout_id: ['transaction_id'],
  payment_method_type: ['payment_method_type', 'payment_method'],
};

/** What was sent must come back: each plain value of the request that the answer has a field for. */
export function echoes(sent: Record<string, Json | undefined>, body: Json | undefined): Problem[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    (SHOWN_AS[name] ?? [name]).flatMap((field) => {
      const found = member(body, field);
      if (found === undefined || typeof value === 'object' || value === found) return [];
      return [{ at: bodyAt(pointerOf(field)), expected: `${show(value)} as it was sent`, found: show(found) }];
    }),
  );
}

/** Where a value differs from the document's. Members of an object that the document's does not have are no difference. */
export function differences(expected: Json | undefined, found: Json | undefined, pointer = ''): Problem[] {
  if (isDeepStrictEqual(expected, found)) return [];
  if (isContainer(expected) && isContainer(found) && Array.isArray(expected) === Array.isArray(found)) {
    const items = Array.isArray(found) ? Object.keys(found) : [];
    return [...new Set([...Object.keys(expected), ...items])].flatMap((name) =>
      differences(
        (expected as Record<string, Json>)[name],
        (found as Record<string, Json>)[name],
        pointer + pointerOf(name),
      ),
    );
  }
  return [{ at: bodyAt(pointer), expected: `${show(expected)} as in the example`, found: show(found) }];
}

/** A value as the report shows it. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function foundStatus(exchange: Exchange): string {
  const said = member(exchange.body, 'detail') ?? member(exchange.body, 'title');
  return said ? `${exchange.status}, ${show(said)}` : String(exchange.status);
}

function isContainer(value: Json | undefined): value is Json[] | Record<string, Json> {
  return typeof value === 'object' && value !== null;
}

function bodyAt(pointer: string): string {
  return pointer ? `body ${pointer}` : 'body';
}

function valueAt(value: Json, pointer: string): Json | undefined {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce<Json | undefined>((inner, token) => {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    return isContainer(inner) ? (inner as Record<string, Json>)[name] : undefined;
  }, value);
}

/** The schema, the echo and the example often object to one place; the first says it best. */
function distinct(problems: Problem[]): Problem[] {
  return [...new Map(problems.toReversed().map((problem) => [problem.at, problem])).values()].toReversed();
}
