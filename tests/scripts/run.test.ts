/** Servers run by npm, with real processes: npm, its shell, scripts/run.mjs and the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { type ProcessInfo, upToNpm } from '../../contract/src/end-with-npm.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { afterwards, temporaryFolder } from '../gateway/harness/afterwards.ts';

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
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with npm by %s, but not with the shell that started npm',
    async (signal) => {
      const [left, other] = await Promise.all([start(`${GATEWAY} &`), start(`exec ${GATEWAY}`)]);
      other.child.kill(signal);
      await other.gone;
      // Both poll their parents at the same rate.
      expect([await isAlive(left), await isAlive(other)]).toEqual([true, false]);
    },
  );

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

it.each([
  [['sh -c x', 'npm exec payments-gateway'], ['-zsh']],
  [['node run.mjs', 'sh -c x', 'node /usr/lib/node_modules/npm/bin/npm-cli.js run x'], []],
  [['sh -c x', 'npm run inner', 'sh -c y', 'npm run outer'], ['bash']],
  [['node /opt/yarn.js run x'], ['bash']],
  [['/usr/local/bin/pnpm run x'], ['bash']],
  [[], ['bash', 'sshd']],
  [[], ['node /home/me/npm-tools/server.js']],
])('a command watches its ancestors %j, up to npm, and not %j', (watched, above) => {
  const rows = [...watched, ...above].map(
    (command, index): ProcessInfo => ({ pid: 100 - index, parent: 99 - index, command }),
  );
  const found = upToNpm(100, (pid) => rows.find((row) => row.pid === pid));
  expect(found.map(({ command }) => command)).toEqual(watched);
});
