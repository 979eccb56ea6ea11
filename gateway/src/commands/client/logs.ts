/** `logs`: prints a merchant's requests, and follows them. */
import { parseNames, parseTime, requireParsed } from '../../../../contract/src/cli.ts';
import { operations } from '../../../../contract/src/model.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import { printable } from '../../../../contract/src/printable.ts';
import type { RequestSummary } from '../../../../generated/management/types.ts';
import { type Access, callManagement, callSandbox } from '../../api-client/client.ts';
import { followChanges, type RetryOptions, untilServed } from '../../api-client/stream.ts';
import { readDocumentFile } from '../../http/gateway-apis.ts';
import { milliseconds } from '../../management/parameters.ts';
import { timestamp } from '../../transactions/view.ts';
import { type FollowedOutput, followGateway, jsonLine, reportWaits, SeenIds } from './access.ts';

export interface LogsOptions extends LogFilter {
  /** Number of past requests to start with, 10 by default. With `since`, all stored ones. */
  readonly last?: number;
  /** Only requests since then, by the merchant's clock. */
  readonly since?: Since;
  /** False prints the requests of the past, and ends. */
  readonly follow?: boolean;
}

const LAST = 10;
/** Requests of a page, the most that the gateway returns. */
const PAGE = 200;
/** The gateway keeps this many. */
const KEPT = 1_000;

/** Prints the last requests that fit, then each new one until the signal is aborted. */
export async function logs(access: Access, options: LogsOptions, following: FollowedOutput): Promise<void> {
  const { terminal, signal, json = false } = following;
  const { since, follow = true, last = since === undefined ? LAST : KEPT, ...filter } = options;
  const fits = createRequestFilter(filter);
  const print = (request: RequestSummary) => terminal.out(json ? jsonLine(request) : describe(request));
  const retrying = { signal, onWait: reportWaits(terminal) };
  await followGateway(access, signal, async () => {
    const from = since && (await since(async () => (await callSandbox(access, 'getClock')).now));
    if (!follow) {
      for (const request of await newest(access, { fits, from, most: last })) print(request);
      return;
    }
    const seen = new SeenIds();
    let [most, isFirst] = [last, true];
    for await (const { type, data } of followChanges(access, retrying)) {
      const request = data as unknown as RequestSummary;
      if (type === 'request' && seen.add(request.id) && fits(request)) print(request);
      if (type !== 'open') continue;
      if (!isFirst) terminal.err(`connected to ${access.url} again\n`);
      // The gateway stores requests between two connections.
      for (const missed of await newest(access, { fits, from, most, seen, retrying })) print(missed);
      [most, isFirst] = [KEPT, false];
    }
  });
}

interface Wanted {
  readonly fits: (request: RequestSummary) => boolean;
  readonly from?: string | undefined;
  readonly most: number;
  /** Older ones than these aren't wanted. */
  readonly seen?: SeenIds;
  /** Waits for an unreachable gateway instead of failing. */
  readonly retrying?: RetryOptions;
}

/** The newest requests that fit, the oldest first. */
async function newest(
  access: Access,
  { fits, from, most, seen = new SeenIds(), retrying }: Wanted,
): Promise<RequestSummary[]> {
  const found: RequestSummary[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const list = () => callManagement(access, 'listRequests', { query });
    const { data, next_cursor: next } = await (retrying ? untilServed(list, retrying) : list());
    const end = data.findIndex(({ id, at }) => seen.has(id) || (from !== undefined && at < from));
    const wanted = end < 0 ? data : data.slice(0, end);
    for (const { id } of wanted) seen.add(id);
    found.push(...wanted.filter(fits));
    cursor = end < 0 ? next : undefined;
  } while (cursor !== undefined && found.length < most);
  return found.slice(0, most).toReversed();
}

function describe({ at, method, path, status, duration_ms, id, problem, violations = [] }: RequestSummary): string {
  const line = `${at.slice(11, 23)}  ${status}  ${method.padEnd(6)} ${path}  ${duration_ms} ms  ${id}`;
  const places = violations.map(({ in: part, pointer, message }) => `  ${part} ${pointer || '(all of it)'} ${message}`);
  const indented = [...(problem === undefined ? [] : [problem]), ...places].map(
    (text) => `${INDENT}${printable(text)}\n`,
  );
  return `${printable(line)}\n${indented.join('')}`;
}

/** The width of the time. */
const INDENT = ' '.repeat('00:00:00.000  '.length);

// Parses request filters: `--status 4xx --method POST --path '/payments*'`.

/** Conditions that a request has to meet; without any, all do. */
interface LogFilter {
  /** Only requests whose response is an error. */
  readonly failed?: boolean;
  /** Patterns of statuses, such as `404` and `4xx`. */
  readonly status?: readonly string[];
  readonly method?: readonly string[];
  /** Begin of the path, in which `*` stands for anything. */
  readonly path?: string;
  readonly operation?: string;
  readonly transaction?: string;
}

/** Returns the time of a filter in the form of the API, given the merchant's present in the same form. */
type Since = (now: () => Promise<string>) => Promise<string>;

function createRequestFilter(filter: LogFilter): (request: RequestSummary) => boolean {
  const { failed, status: statuses, method: methods, path, operation, transaction } = filter;
  const form = path === undefined ? undefined : toPattern(path);
  const tests: ((request: RequestSummary) => boolean)[] = [
    ({ status }) => !failed || status >= 400,
    ({ status }) => !statuses || statuses.some((pattern) => isLike(status, pattern)),
    ({ method }) => !methods || methods.includes(method),
    (request) => !form || form.test(request.path),
    (request) => operation === undefined || request.operation === operation,
    ({ transaction_id: id }) => transaction === undefined || id === transaction,
  ];
  return (request) => tests.every((test) => test(request));
}

/** Parses statuses separated by commas, each with `x` for any digit. */
export const parseStatuses = requireParsed((text) => {
  const patterns = text.toLowerCase().split(',');
  return patterns.every((pattern) => /^[1-5][\dx]{2}$/.test(pattern)) ? patterns : undefined;
}, 'It must be statuses such as 404 or 4xx, separated by commas.');

const parseUpperCase = parseNames(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Parses methods separated by commas, in letters of either case. */
export const parseMethods = (text: string): string[] => parseUpperCase(text.toUpperCase());

/** Parses an operationId of the contract, of the sandbox, or of the management API, as the request log has it. */
export const parseOperation = requireParsed(
  (text) => operationIds().find((id) => id === text),
  (text) => `It must be an operationId, such as createPayment.${didYouMean(text, operationIds())}`,
);

/** Parses a duration before the merchant's present, or a time. */
export const parseSince = requireParsed((text): Since | undefined => {
  if (/^\d{1,9}(ms|s|m|h|d)$/.test(text)) {
    return async (now) => timestamp(Date.parse(await now()) - milliseconds(text));
  }
  if (!/^\d{4}-/.test(text) || Number.isNaN(Date.parse(text))) return undefined;
  const time = timestamp(parseTime(text));
  return async () => time;
}, 'It must be a duration such as 15m or 2h, or a time in UTC, such as 2026-03-02T18:30:00Z.');

function operationIds(): string[] {
  const idsOf = (name: Parameters<typeof readDocumentFile>[0]) =>
    operations(readDocumentFile(name)).map(({ id }) => id);
  return [...idsOf('contract'), ...idsOf('sandbox'), ...idsOf('management').map((id) => `management.${id}`)];
}

function isLike(status: number, pattern: string): boolean {
  return [...String(status)].every((digit, index) => pattern[index] === 'x' || pattern[index] === digit);
}

function toPattern(path: string): RegExp {
  const parts = path.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}`);
}
