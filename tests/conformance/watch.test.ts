/** `--watch` repeats failed checks at each trigger. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  nextTrigger,
  sourceChanged,
  type Trigger,
  type TriggerSources,
  watchRuns,
} from '../../conformance/src/command/watch.ts';
import type { Report } from '../../conformance/src/report/report.ts';
import { UserError } from '../../contract/src/cli.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { collect } from '../tools/collect.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import { temporaryFolder } from '../tools/temporary.ts';

const createReport = (failing: readonly string[], passing: readonly string[] = []) => {
  const checks = [
    ...failing.map((id) => ({ id, verdict: 'violating', failure: 'violating' })),
    ...passing.map((id) => ({ id, verdict: 'conforming' })),
    { id: 'never reached', verdict: 'not reached' },
  ];
  return { checks, exitCode: failing.length === 0 ? 0 : 1 } as unknown as Report;
};

/** Watches runs that end as listed, and stops after the last. */
async function watched(ends: readonly (Report | Error)[], before?: Report) {
  const ran: string[] = [];
  const left = [...ends];
  const stopped = Promise.withResolvers<void>();
  const end = async (name: string): Promise<Report> => {
    ran.push(name);
    const next = left.shift();
    if (next === undefined) throw new Error('one run too many');
    if (next instanceof Error) throw next;
    return next;
  };
  const outcome = await collect((terminal) =>
    watchRuns({
      terminal,
      ...(before && { before }),
      runAll: () => end('all'),
      repeat: ({ checks }) => end(checks.map(({ id }) => id).join()),
      nextTrigger: async (): Promise<Trigger> => {
        if (left.length > 0) return 'file';
        stopped.resolve();
        return new Promise(() => {});
      },
      stopped: stopped.promise,
    }),
  );
  return { ...outcome, ran };
}

describe('runs', () => {
  it('repeat failed checks until all pass, and then run every check', async () => {
    const all = createReport(['a', 'b'], ['c']);
    const { code, stdout, ran } = await watched([
      all,
      createReport(['b'], ['a']),
      createReport([], ['b']),
      createReport([]),
    ]);
    expect(ran).toEqual(['all', 'a,b', 'b', 'all']);
    expect(code).toBe(0);
    expect(stdout).toContain('or Enter runs what failed.\nCtrl-C ends.\n\nA file has changed.\n');
    expect(stdout).toMatch(/or Enter runs every check\.\nCtrl-C ends\.\n$/);
  });

  it('begin with the failed checks of an earlier report', async () => {
    const { code, ran } = await watched([createReport(['a'])], createReport(['a']));
    expect([code, ran]).toEqual([1, ['a']]);
  });

  it('continue after a run without a response, and end with its exit code', async () => {
    const gone = new UserError('No response.', 1);
    const { code, stderr, ran } = await watched([gone, createReport(['a']), new UserError('driver.ts: wrong', 2)]);
    expect([code, ran, stderr]).toEqual([2, ['all', 'all', 'a'], 'No response.\ndriver.ts: wrong\n']);
  });

  it('end at once if the command was used incorrectly', async () => {
    await expect(watched([new UserError('Driver not found.', 2)])).rejects.toThrow('Driver not found.');
  });
});

describe('a trigger', () => {
  const never = () => new Promise<never>(() => {});
  /** The service is up as listed, in its last state from then on. */
  const trigger = (up: readonly boolean[], more: Partial<TriggerSources> = {}) => {
    const states = [...up];
    const isUp = async () => (states.length > 1 ? states.shift() : states[0]) ?? false;
    return nextTrigger({ isUp, pause: () => new Promise(setImmediate), changed: never, entered: never, ...more });
  };

  it('is a start of the service, even if it was down before', async () => {
    expect(await trigger([true, true, false, false, true])).toBe('start');
    expect(await trigger([false, true])).toBe('start');
  });

  it('is a changed file, once the service responds', async () => {
    const order: string[] = [];
    const isUp = async () => {
      order.push('up?');
      return true;
    };
    const changed = async () => order.push('changed');
    expect(await trigger([true], { isUp, changed })).toBe('file');
    expect(order.lastIndexOf('up?')).toBeGreaterThan(order.indexOf('changed'));
  });

  it('is Enter, which ends the other waits', async () => {
    const signals: AbortSignal[] = [];
    const changed = (signal: AbortSignal) => {
      signals.push(signal);
      return never();
    };
    expect(await trigger([true], { entered: async () => 'data', changed })).toBe('enter');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('is a source file of the folder, and no other', async () => {
    const folder = await temporaryFolder('watch');
    for (const inner of ['src', 'node_modules/x', '.cache']) await mkdir(join(folder, inner), { recursive: true });
    const ended = new AbortController();
    let hasChanged = false;
    const change = sourceChanged(folder, ended.signal).then(() => {
      hasChanged = true;
    });
    for (const file of ['node_modules/x/index.js', '.cache/a.ts', 'src/data.sqlite', 'service.log']) {
      await writeFile(join(folder, file), 'x');
    }
    await new Promise(setImmediate);
    expect(hasChanged).toBe(false);
    await writeFile(join(folder, 'src/server.py'), 'x');
    await change;
    ended.abort();
  });
});

it('ends at Ctrl-C with the exit code of the last run, and repeats on Enter until then', async () => {
  let merchant: unknown = 'seven';
  const balances = [{ available: 1, pending: 0, currency: 'INR' }];
  const service = await listenOnLoopback(
    createServer((_request, response) => {
      const body = { merchant_id: merchant, balances, last_updated_at: '2026-03-02T18:30:00Z' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }),
  );
  const folder = await temporaryFolder('watch-command');
  const only = ['--driver', 'gateway', '--only', 'replay/getBalance', '--json', 'report.json'];
  const args = [join(ROOT, 'conformance/src/main.ts'), service.url, ...only, '--watch'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const count = (text: string) => out.split(text).length - 1;
  const ended = once(child, 'exit');
  await expect.poll(() => count('Ctrl-C ends.')).toBe(1);
  const first = await readFile(join(folder, 'report.json'), 'utf8');
  merchant = 7;
  child.stdin.write('\n');
  await expect.poll(() => count('Ctrl-C ends.')).toBe(2);
  expect(out).toMatch(/\ngone {5}replay\/getBalance\/\S+ {2}body \/merchant_id\n/);
  expect(await readFile(join(folder, 'report.json'), 'utf8')).toBe(first);
  child.kill('SIGINT');
  const [code] = await ended;
  expect(code).toBe(0);
  await service.close();
});
