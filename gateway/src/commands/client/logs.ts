/** `logs`: prints a merchant's requests, and follows them. */
import { printable } from '../../../../contract/src/printable.ts';
import type { RequestSummary } from '../../../../generated/management/types.ts';
import { type Access, callManagement, callSandbox } from '../../sandbox-client/client.ts';
import { followChanges, type RetryOptions, untilServed } from '../../sandbox-client/stream.ts';
import { type FollowedOutput, followGateway, jsonLine, reportWaits } from './access.ts';
import { createRequestFilter, type LogFilter, type Since } from './request-filter.ts';
import { SeenIds } from './seen-ids.ts';

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
