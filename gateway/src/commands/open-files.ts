/** The limit on open files, which connections count against. Node has raised it as far as the process may. */
import { readFileSync } from 'node:fs';
import { UserError } from '../../../contract/src/cli.ts';
import type { GatewayConfig } from '../config/settings.ts';

/** Files of the process, its database and its webhooks, without the connections of clients and to PostgreSQL. */
const OWN_FILES = 192;
const RAISE =
  'Raise it, such as with `ulimit -n 65536`, LimitNOFILE=65536 of systemd, or --ulimit nofile=65536 of Docker.';

/**
 * Throws a UserError if the limit leaves no files for clients. Returns a warning if it leaves fewer than
 * CONNECTIONS_MAX: the system silently resets connections above it.
 */
export function checkOpenFiles(
  { connectionsMax, databaseUrl, databaseConnections }: GatewayConfig,
  limit: number | undefined = openFilesMax(),
): string | undefined {
  if (limit === undefined) return undefined;
  const needed = OWN_FILES + (databaseUrl ? databaseConnections : 0);
  if (limit <= needed)
    throw new UserError(`The limit on open files is ${limit}, but the gateway needs more than ${needed}. ${RAISE}`);
  const room = limit - needed;
  if (room >= connectionsMax) return undefined;
  return `the limit on open files is ${limit}, which leaves room for ${room} connections, but CONNECTIONS_MAX is ${connectionsMax}. ${RAISE} Otherwise, set CONNECTIONS_MAX to ${room}.`;
}

/** The process's own limit; undefined where the system doesn't show it, or has none. */
function openFilesMax(): number | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
