/** Servers run by npm, with real processes: npm, its shell, scripts/run.mjs and the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type ProcessInfo, upToNpm } from '../../contract/src/end-with-npm.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { afterwards, temporaryFolder } from '../gateway/harness/afterwards.ts';
import { writeFiles } from '../tools/temporary.ts';

interface Started {
  readonly url: string;
  /** The shell's command, in a separate process group. */
  readonly child: ChildProcess;
  /** Resolves when no started process holds its output open. */
  readonly gone: Promise<unknown>;
  /** Awaits a line of its output. */
  line(pattern: RegExp): Promise<string>;
}

const GATEWAY = 'npm run gateway -- start --port 0';

/** Runs a line in a shell and waits for an address. */
async function start(command: string, env: Record<string, string> = {}): Promise<Started> {
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_FILE: join(await temporaryFolder(), 'payments.db'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const gone = once(child.stdout, 'close');
  afterwards(async () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // All have ended.
    }
  });
  const lines = on(createInterface({ input: child.stdout }), 'line', { close: ['close'] });
  const line = async (pattern: RegExp) => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const [printed] = next.value as [string];
      if (pattern.test(printed)) return printed;
    }
    throw new Error(`${command} ended before it printed ${pattern}`);
  };
  const url = /http:\/\/[^\s"]+/.exec(await line(/http:/))?.[0] ?? '';
  return { url, child, gone, line };
}

async function isAlive({ url }: Started): Promise<boolean> {
  return (await fetch(`${url}/health/live`).catch(() => undefined))?.status === 200;
}

describe('a server run by npm', () => {
  it('ends when npm ends by SIGTERM', async () => {
    const server = await start(`exec ${GATEWAY}`);
    server.child.kill('SIGTERM');
    await server.gone;
    expect(await isAlive(server)).toBe(false);
  });

  it('ends when npm ends by SIGKILL, but not when only the shell that started npm ends', async () => {
    const [left, other] = await Promise.all([start(`${GATEWAY} &`), start(`exec ${GATEWAY}`)]);
    other.child.kill('SIGKILL');
    await other.gone;
    // Both poll their parents at the same rate.
    expect([await isAlive(left), await isAlive(other)]).toEqual([true, false]);
  });

  it('handles Ctrl+C, which reaches npm and everything below it, as one signal', async () => {
    const server = await start(`exec ${GATEWAY} 2>&1`, { DRAIN_MS: '600000' });
    const exited = once(server.child, 'exit');
    const interrupt = () => process.kill(-(server.child.pid ?? 0), 'SIGINT');
    interrupt();
    await server.line(/"stopping"/);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
    // A second one ends the draining. Signals within half a second count as one.
    const again = setInterval(interrupt, 100);
    await server.gone.finally(() => clearInterval(again));
    // npm also reports the end of its shell, which got the signal.
    expect([0, 130, 'SIGINT']).toContain((await exited).find((value) => value !== null));
  });
});

describe('a command of the repository', () => {
  /** The value of `npm_config_cache` for a command, in a folder with installed dependencies. */
  async function npmCacheWith(env: Record<string, string>): Promise<string> {
    const folder = await temporaryFolder();
    const copied = ['run', 'tools/gateway-apis', 'tools/node', 'tools/progress'].map((name) => `scripts/${name}.mjs`);
    await writeFiles(folder, {
      'package-lock.json': '{"packages":{}}',
      'node_modules/.package-lock.json': '',
      // The only command that doesn't build the gateway's APIs.
      'scripts/commands.json': '{"lint":"show.mjs"}',
      ...Object.fromEntries(copied.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])),
      'show.mjs': "console.log(process.env['npm_config_cache'])",
    });
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, ['scripts/run.mjs', 'lint'], { cwd: folder, env: { PATH, ...env } });
    return (await text(child.stdout)).trim().replace(await realpath(folder), '');
  }

  it('caches packages in node_modules if the home is not writable', async () => {
    expect(await npmCacheWith({ HOME: '/dev/null' })).toBe('/node_modules/.cache/npm');
    expect(await npmCacheWith({ HOME: await temporaryFolder() })).toBe('undefined');
  });
});

describe('the watched ancestors of a command', () => {
  const table = (...commands: string[]) => {
    const rows = commands.map((command, index): ProcessInfo => ({ pid: 100 - index, parent: 99 - index, command }));
    return upToNpm(100, (pid) => rows.find((row) => row.pid === pid)).map(({ command }) => command);
  };

  it.each([
    [['npm start'], ['npm start', 'bash', 'tmux']],
    [
      ['sh -c x', 'npm exec payments-gateway'],
      ['sh -c x', 'npm exec payments-gateway', '-zsh'],
    ],
    [['node run.mjs', 'sh -c x', 'node /usr/lib/node_modules/npm/bin/npm-cli.js run x'], []],
    [['sh -c x', 'npm run inner', 'sh -c y', 'npm run outer'], ['bash']],
    [['node /opt/yarn.js run x'], ['bash']],
    [['/usr/local/bin/pnpm run x'], ['bash']],
  ])('are %j', (watched, above) => {
    expect(table(...watched, ...above.filter((command) => !watched.includes(command)))).toEqual(watched);
  });

  it('are empty without npm, for instance after setsid or for a job of an ended script', () => {
    expect(table('bash', 'sshd')).toEqual([]);
    expect(table('node /home/me/npm-tools/server.js')).toEqual([]);
    expect(table()).toEqual([]);
  });
});
