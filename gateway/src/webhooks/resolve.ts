/**
 * From a host name to its addresses. DNS is asked directly, since the system's own look-up takes one of the few
 * threads of the process for as long as it lasts: a few dead name servers would hold up everybody. The system is
 * asked where DNS knows nothing, as for the names of its hosts file.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. Rejects, or gives none, when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The name has no addresses, or no server could be asked. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Asks for IPv4 and IPv6 addresses. */
export const resolveName: Resolve = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  for (const answer of answers) {
    if (answer.status === 'rejected' && !NOTHING.has(answer.reason.code)) throw answer.reason;
  }
  return (await askSystem(name)).map(({ address }) => address);
};

let lastAsked: Promise<unknown> = Promise.resolve();

/** One name at a time: the database's disk is waited for by the same few threads. */
function askSystem(name: string): Promise<LookupAddress[]> {
  const found = lastAsked.then(() => lookup(name, { all: true }));
  lastAsked = found.catch(() => undefined);
  return found;
}
