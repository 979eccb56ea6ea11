/** Probes the address of a service without a request, which would appear in its log. */
import { once } from 'node:events';
import { connect } from 'node:net';

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Resolves with false if there is no connection within `withinMs`. */
export async function takesConnections(baseUrl: string, withinMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(withinMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
