/** Measurements in alternating rounds, and the rows of the performance table. */
import { readdir, readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import type { Server } from '../tools/server.ts';

/** Parameters of a part of the bench. */
export interface Bench {
  /** An empty folder of this part. */
  readonly folder: string;
  /** Duration of one measurement. */
  readonly seconds: number;
  /** Measurements per contender, of which the median is shown. */
  readonly rounds: number;
  /** Payments in the file of `growth`. */
  readonly payments: number;
  /** Webhooks that wait when the gateway of `webhooks` starts. */
  readonly backlog: number;
  /** Seconds for which `held-snapshot` holds its snapshot. */
  readonly held: number;
  /** Prints the current measurement. */
  readonly say: (text: string) => void;
}

export interface Row {
  /** Name, ratio, figure, peer and target. */
  readonly cells: readonly string[];
  readonly isMissed: boolean;
}

type Target = readonly [sign: '≥' | '≤', limit: number];

/** Another program, measured in the same rounds. */
interface Peer {
  readonly name: string;
  readonly values: readonly number[];
}

/**
 * A row with the median of the values. With a peer, it has the median of the rounds' ratios too, which the target is
 * about, so that variations of the machine affect both.
 */
export function createRow(name: string, unit: string, values: readonly number[], target?: Target, peer?: Peer): Row {
  const value = median(values);
  const ratio = peer && median(values.map((one, round) => one / (peer.values[round] ?? Number.NaN)));
  const [sign, limit = 0] = target ?? [];
  const judged = ratio ?? value;
  const isMet = Number.isFinite(judged) && (sign === '≥' ? judged >= limit : judged <= limit);
  const cells = [
    name,
    ratio?.toFixed(2) ?? '',
    formatFigure(value, unit),
    peer ? `${peer.name} ${formatFigure(median(peer.values), unit)}` : '',
    sign ? `${sign} ${limit.toLocaleString('en-US')}${peer ? '' : ` ${unit}`} ${isMet ? '(met)' : '(not met)'}` : '',
  ];
  return { cells, isMissed: target !== undefined && !isMet };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Three significant digits, with thousands separated. */
function formatFigure(value: number, unit: string): string {
  return `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;
}

export interface Contender {
  /** Servers that run during its measurement. */
  readonly servers: readonly Server[];
  readonly measure: (round: number) => Promise<number>;
}

/**
 * Measures each contender in each round. Servers are paused while others are measured, since their background work
 * would slow down the next.
 */
export async function alternate<Name extends string>(
  { rounds, say }: Bench,
  title: string,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const servers = names.flatMap((name) => contenders[name].servers);
  for (const server of servers) server.sleep();
  for (let round = 0; round < rounds; round++) {
    say(`${title}, round ${round + 1} of ${rounds}`);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      for (const server of contenders[name].servers) server.wake();
      values[name].push(await contenders[name].measure(round));
      for (const server of contenders[name].servers) server.sleep();
    }
  }
  for (const server of servers) server.wake();
  return values;
}

interface Load {
  /** API key. */
  readonly key: string;
  readonly seconds: number;
  /** Each has one request at a time. */
  readonly connections?: number;
  /** Creates the next body of a POST. Without it, requests are GETs. */
  readonly body?: () => unknown;
  /** Creates the next path of a GET, after the URL. */
  readonly path?: () => string;
}

/** Paths per connection, created before the load, since creating one costs as much as a request. */
const PATHS = 256;

/** Runs load over the URLs. Returns responses per second. Throws on a missing or failed response. */
export async function load(
  urls: readonly string[],
  { key, seconds, connections = 32, ...rest }: Load,
): Promise<number> {
  const share = Math.ceil(connections / urls.length);
  const rates = urls.map((url) => loadOne(url, { key, seconds, connections: share, ...rest }));
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
}

async function loadOne(url: string, { key, seconds, connections, body, path = () => '' }: Load): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // A server's first response includes its setup.
  const first = body ? { method: 'POST', headers, body: JSON.stringify(body()) } : { headers };
  await (await fetch(url + path(), first)).arrayBuffer();
  const { requests, duration, non2xx, errors } = await autocannon({
    ...{ url, connections: connections ?? 1, duration: seconds, sampleInt: 50, headers },
    ...(body && {
      requests: [
        { method: 'POST', setupRequest: (request: object) => ({ ...request, body: JSON.stringify(body()) }) } as const,
      ],
    }),
    ...(!body && {
      setupClient(client) {
        client.setRequests(
          Array.from({ length: PATHS }, () => ({ method: 'GET', path: new URL(url + path()).pathname })),
        );
      },
    }),
  });
  if (non2xx + errors > 0) throw new Error(`${url} failed ${non2xx} requests and didn't respond to ${errors}`);
  if (requests.total === 0) throw new Error(`${url} hasn't responded within ${seconds} s: raise --seconds`);
  return requests.total / duration;
}

/** The duration of a tick in `/proc`, on every Linux. */
const TICK_MS = 10;

/**
 * User and system milliseconds of the processes and their descendants. NaN if the system doesn't report them. An ended
 * process counts toward its parent, so a difference of two readings is complete.
 */
export async function readCpuMs(pids: readonly number[]): Promise<number> {
  const stats = new Map<number, number[]>();
  for (const pid of (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger)) {
    // A process can end in between.
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name before the numbers is in parentheses.
    if (text)
      stats.set(
        pid,
        text
          .slice(text.lastIndexOf(')') + 4)
          .split(' ')
          .map(Number),
      );
  }
  if (!pids.every((pid) => stats.has(pid))) return Number.NaN;
  const isOurs = (pid: number): boolean => pid > 1 && (pids.includes(pid) || isOurs(stats.get(pid)?.[0] ?? 0));
  const ours = [...stats].filter(([pid]) => isOurs(pid));
  // Of the process, and of its ended children.
  const ticks = ours.flatMap(([, fields]) => fields.slice(10, 14));
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}
