import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/tools/process.ts';
import { cpuMs } from '../tools/cpu.ts';
import { flameGraph, folderTimes, readProfile } from './cpu-profile.ts';

const url = (path: string) => pathToFileURL(`${ROOT}${path}`).href;
const node = (id: number, functionName: string, address: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url: address },
  children,
});
/** `pay` of the gateway calls a library, which calls native code; the thread then waits, and collects garbage. */
const PROFILE = {
  nodes: [
    node(1, '(root)', '', [2, 5, 6]),
    node(2, 'pay', url('gateway/src/payments/pay.ts'), [3]),
    node(3, '<write>', url('node_modules/@scope/lib/index.js'), [4]),
    node(4, 'writev', ''),
    node(5, '(idle)', ''),
    node(6, '(garbage collector)', ''),
  ],
  samples: [2, 3, 4, 4, 5, 6],
  timeDeltas: [1_000, 2_000, 3_000, 1_000, 90_000, 3_000],
};

describe('a profile', () => {
  const root = readProfile(JSON.stringify(PROFILE));

  it('counts time for folders and packages, counts native code for its caller, and ignores idle time', () => {
    expect(folderTimes(root)).toEqual([
      { folder: '@scope/lib', ms: 6 },
      { folder: '(garbage collector)', ms: 3 },
      { folder: 'gateway/src/payments', ms: 1 },
      { folder: 'node', ms: 0 },
    ]);
    expect(root.totalMs).toBe(10);
  });

  it('renders boxes as wide as their time, with escaped names', () => {
    const svg = flameGraph(root);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain('<title>pay gateway/src/payments: 7 ms, 70.0 %</title>');
    expect(svg).toContain('&#60;write&#62; @scope/lib: 6 ms, 60.0 %');
    expect(svg).toMatch(/width="1120.0"[^>]*><title>pay /);
  });
});

it.runIf(process.platform === 'linux')('processor time grows with the work of a process', async () => {
  const before = await cpuMs([process.pid]);
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 100_000);
  expect((await cpuMs([process.pid])) - before).toBeGreaterThan(80);
  expect(await cpuMs([2 ** 30])).toBeNaN();
});
