/** The system's PostgreSQL with its tools, which the npm package lacks. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './loopback.ts';
import { serverFolder, serverUser } from './server-user.ts';

export interface InstalledPostgres {
  /** The folder that contains the server's `data`. */
  readonly folder: string;
  /** The address of a database of the server. */
  url(database: string): string;
  /** Runs a script in the folder as the server's user, with the tools in its path. */
  shell(script: string): Promise<void>;
  /** Ends the server with its data in `data`, and any server that a script has started in `restored`. */
  close(): Promise<void>;
}

const TOOLS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'pg_basebackup', 'createdb'];

/**
 * Starts a separate server with a role `gateway`, and additional settings in postgresql.conf's format. Returns
 * undefined if PostgreSQL or one of its tools is missing.
 */
export async function startInstalledPostgres(
  settingsOf: (folder: string) => string = () => '',
): Promise<InstalledPostgres | undefined> {
  const tools = toolFolder();
  if (!tools) return undefined;
  const user = serverUser();
  const folder = await serverFolder('installed-postgres-');
  const data = join(folder, 'data');
  const port = await freePort();
  const env = {
    ...process.env,
    PATH: [tools, process.env['PATH']].join(delimiter),
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'gateway',
  };
  const runTool = async (tool: string, ...args: string[]) => {
    await promisify(execFile)(join(tools, tool), args, { ...user, cwd: folder });
  };
  const shell = async (script: string) => {
    // A server started by the script keeps the output open.
    await promisify(execFile)('bash', ['-ec', script], { ...user, cwd: folder, env });
  };
  await runTool('initdb', '--pgdata', data, '--username=gateway', '--auth=trust', '--no-sync');
  const settings = [`port = ${port}`, "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", 'fsync = off'];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n${settingsOf(folder)}\n`);
  await runTool('pg_ctl', '--pgdata', data, '--wait', '--log', join(folder, 'log'), 'start');
  const stop = async (pgdata: string) => {
    if (existsSync(join(pgdata, 'postmaster.pid')))
      await runTool('pg_ctl', '--pgdata', pgdata, '--mode=immediate', 'stop');
  };
  return {
    ...{ folder, shell },
    url: (database) => `postgres://gateway@127.0.0.1:${port}/${database}`,
    async close() {
      for (const pgdata of [data, join(folder, 'restored')]) await stop(pgdata);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder from `pg_config`, if it contains all tools. */
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
