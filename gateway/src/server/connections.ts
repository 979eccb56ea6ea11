/**
 * Limits connections per address, so that one client can't use them all. A connection over the limit is closed
 * immediately, like Node's own limit: a response would occupy capacity that others need.
 */
import type { BlockList, Server, Socket } from 'node:net';
import type { Metrics } from '../http/metrics.ts';
import { createBlockList, readFamily, toNetwork } from '../platform/cidr.ts';
import type { Log } from '../platform/log.ts';
import { LOOPBACK_CIDRS } from '../platform/loopback.ts';

export interface ServerConnectionLimits {
  readonly connectionsMax: number;
  /** 0 means a tenth of all. */
  readonly connectionsPerAddress: number;
}

const SHARE = 10;

/** Applies the limits. Connections from loopback and from trusted proxies, which stand for many clients, count for no address. */
export function limitConnections(
  server: Server,
  { connectionsMax, connectionsPerAddress }: ServerConnectionLimits,
  trustProxy: readonly string[],
  { connectionsRefused }: Pick<Metrics, 'connectionsRefused'>,
  log: Log,
): void {
  const perAddress = connectionsPerAddress || Math.max(1, Math.floor(connectionsMax / SHARE));
  const exempt = createBlockList([...LOOPBACK_CIDRS, ...trustProxy]);
  const open = new Map<string, number>();
  const warned = new Set<string>();
  server.maxConnections = connectionsMax;
  server.on('drop', () => connectionsRefused.inc({ limit: 'CONNECTIONS_MAX' }));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || includesAddress(exempt, remoteAddress)) return;
    const network = toNetwork(remoteAddress);
    const count = open.get(network) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      connectionsRefused.inc({ limit: 'CONNECTIONS_PER_ADDRESS' });
      if (warned.has(network)) return;
      warned.add(network);
      log.warn({ address: network, connections: count }, 'refused a connection over CONNECTIONS_PER_ADDRESS');
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      // An address is forgotten with its last connection.
      else if (open.delete(network)) warned.delete(network);
    });
  });
}

function includesAddress(list: BlockList, address: string): boolean {
  return list.check(address, readFamily(address));
}
