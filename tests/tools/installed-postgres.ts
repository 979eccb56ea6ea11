/** The system's PostgreSQL with its tools, which the npm package doesn't include. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './port.ts';
import { type ServerUser, serverFolder, serverUser } from './server-user.ts';

export interface InstalledPostgres {
  /** The address of a database of the server. */
  url(database: string): string;
  /** Runs one of its tools, such as `pg_dump`, as this user. */
  run(tool: string, ...args: string[]): Promise<void>;
  close(): Promise<void>;
}

const TOOLS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'createdb'];

/** Starts a separate server with a role `gateway`. Returns undefined if PostgreSQL or one of its tools is missing. */
export async function startInstalledPostgres(): Promise<InstalledPostgres | undefined> {
  const folder = toolFolder();
  if (!folder) return undefined;
  const user = serverUser();
  const data = await serverFolder('installed-postgres-');
  const runAs = async (as: ServerUser, tool: string, ...args: string[]) => {
    await promisify(execFile)(join(folder, tool), args, { ...as, cwd: data });
  };
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  await runAs(user, 'initdb', '--pgdata', data, '--username=gateway', '--auth=trust', '--no-sync');
  await runAs(user, 'pg_ctl', '--pgdata', data, '--wait', '--log', join(data, 'log'), '--options', settings, 'start');
  return {
    url: (database) => `postgres://gateway@127.0.0.1:${port}/${database}`,
    run: (tool, ...args) => runAs({}, tool, ...args),
    async close() {
      await runAs(user, 'pg_ctl', '--pgdata', data, '--mode=immediate', 'stop');
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** The folder that `pg_config` names, if all the tools are in it. */
function toolFolder(): string | undefined {
  const folder = output('pg_config', '--bindir');
  return folder !== undefined && TOOLS.every((tool) => existsSync(join(folder, tool))) ? folder : undefined;
}

function output(command: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
