/**
 * Resolves host names by the hosts file, then by DNS. The system resolver's lookups can't be cancelled and block
 * threads of a small pool, so one merchant's dead names would delay all others. Each lookup here has dedicated sockets
 * and a time limit.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns the addresses of a name. Rejects if the lookup fails or the signal is aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface ResolveOptions {
  /** Addresses of the DNS servers. Defaults to the system's. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env['SystemRoot']}\\System32\\drivers\\etc\\hosts` : '/etc/hosts';
/** Time for the first try. c-ares doubles it for the second. */
const TIMEOUT = { timeout: 1_000, tries: 2 };
/** Time for all tries with all servers. */
const LOOKUP_MS_MAX = 5_000;

/** Codes for a name without addresses. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA']);

export function createResolve({ servers, hostsFile = HOSTS_FILE }: ResolveOptions = {}): Resolve {
  return async (name, signal) => {
    const hosts = await readFile(hostsFile, 'utf8').catch(() => '');
    const listed = findInHosts(hosts, name);
    if (listed.length > 0) return listed;
    // A new resolver uses the servers that the system has now.
    const resolver = new Resolver(TIMEOUT);
    if (servers) resolver.setServers(servers);
    const ended = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS_MAX)]);
    ended.addEventListener('abort', () => resolver.cancel(), { once: true });
    ended.throwIfAborted();
    return askDns(resolver, name);
  };
}

function findInHosts(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').toLowerCase().trim().split(/\s+/);
    return names.includes(name) && isIP(address) !== 0 ? [address] : [];
  });
}

async function askDns(resolver: Resolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const [failure] = answers.flatMap((answer) =>
    answer.status === 'rejected' && !NO_ADDRESS.has(answer.reason.code) ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  if (failure === undefined) return [];
  // Otherwise the code would read as if the endpoint had refused the connection.
  throw failure.code === 'ECONNREFUSED' ? Object.assign(failure, { code: 'EAI_AGAIN' }) : failure;
}
