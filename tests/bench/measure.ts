/** Measurements in alternating rounds, and the rows of the performance table. */
import { readdir, readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import type { Server } from '../tools/server.ts';

/** The options of a part, described by `npm run bench -- --help`. */
type Size = Readonly<Record<'seconds' | 'rounds' | 'payments' | 'backlog' | 'held', number>>;

export interface Bench extends Size {
  /** An empty folder of this part. */
  readonly folder: string;
  /** Prints the current measurement. */
  readonly say: (text: string) => void;
  /** Calls the function when the part has ended or failed. The last one added comes first. */
  readonly atEnd: (close: () => unknown) => void;
}

/** Name, ratio, figure, peer and target, and whether the target was missed. */
export type Row = Readonly<{ cells: readonly string[]; isMissed: boolean }>;

export type Target = readonly [sign: '≥' | '≤', limit: number];

/** Another program, measured in the same rounds. */
type Peer = readonly [name: string, values: readonly number[]];

/**
 * A row with the median of the values. With a peer, it has the median of the rounds' ratios too, which the target is
 * about, so that variations of the machine affect both.
 */
export function createRow(name: string, unit: string, values: readonly number[], target?: Target, peer?: Peer): Row {
  const value = median(values);
  const ratio = peer && median(values.map((one, round) => one / (peer[1][round] ?? Number.NaN)));
  const [sign, limit = 0] = target ?? [];
  const judged = ratio ?? value;
  const isMet = Number.isFinite(judged) && (sign === '≥' ? judged >= limit : judged <= limit);
  const cells = [
    name,
    ratio?.toFixed(2) ?? '',
    formatFigure(value, unit),
    peer ? `${peer[0]} ${formatFigure(median(peer[1]), unit)}` : '',
    sign ? `${sign} ${limit.toLocaleString('en-US')}${peer ? '' : ` ${unit}`} ${isMet ? '(met)' : '(not met)'}` : '',
  ];
  return { cells, isMissed: target !== undefined && !isMet };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** The value below which a part of the values is, for a row. */
export function quantile(values: readonly number[], part: number): [number] {
  return [values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN];
}

/** Three significant digits, with thousands separated. */
const formatFigure = (value: number, unit: string) => `${Number(value.toPrecision(3)).toLocaleString('en-US')} ${unit}`;

/** A measurement, and the servers that run during it. */
export type Contender = Readonly<{ servers: readonly Server[]; measure: (round: number) => Promise<number> }>;

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
  readonly connections: number;
  /** The path of the next request. */
  readonly path: () => string;
  /** Creates the next body of a POST. Without it, requests are GETs. */
  readonly body?: () => unknown;
}

/** Paths per connection, created before the load, since creating one costs as much as a request. */
const PATHS = 256;

/** Runs load over the servers. Returns responses per second. Throws on a missing or failed response. */
export async function load(
  servers: readonly Server[],
  { key, seconds, connections, path, body }: Load,
): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = () => ({ method: 'POST' as const, path: path(), body: JSON.stringify(body?.()) });
  const reading = () => Array.from({ length: PATHS }, () => ({ method: 'GET' as const, path: path() }));
  const requestsOfOne = () => (body ? [{ setupRequest: (one: object) => ({ ...one, ...post() }) }] : reading());
  const measureRate = async ({ url }: Server) => {
    // A server's first response includes its setup.
    await (await fetch(url + path(), { headers, ...(body && post()) })).arrayBuffer();
    const { requests, duration, non2xx, errors } = await autocannon({
      ...{ url, connections: Math.ceil(connections / servers.length), duration: seconds, sampleInt: 50, headers },
      setupClient: (client) => client.setRequests(requestsOfOne()),
    });
    if (non2xx + errors > 0) throw new Error(`${url} failed ${non2xx} requests and didn't respond to ${errors}`);
    if (requests.total === 0) throw new Error(`${url} hasn't responded within ${seconds} s: raise --seconds`);
    return requests.total / duration;
  };
  return (await Promise.all(servers.map(measureRate))).reduce((sum, rate) => sum + rate, 0);
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
    // A process can end in between. The name before the numbers is in parentheses.
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (text) stats.set(pid, Array.from(text.slice(text.lastIndexOf(')') + 4).split(' '), Number));
  }
  if (!pids.every((pid) => stats.has(pid))) return Number.NaN;
  const isOurs = (pid: number): boolean => pid > 1 && (pids.includes(pid) || isOurs(stats.get(pid)?.[0] ?? 0));
  const ours = [...stats].filter(([pid]) => isOurs(pid));
  // Of the process, and of its ended children.
  const ticks = ours.flatMap(([, fields]) => fields.slice(10, 14));
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}
