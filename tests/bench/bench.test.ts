import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';

const bench = (...args: string[]) =>
  run(process.execPath, [join(ROOT, 'tests/bench/main.ts'), ...args], { allowFailure: true });

it('npm run bench exits 2 and lists the parts for an unknown part', async () => {
  const { code, stderr } = await bench('--only', 'requests,speed');
  expect(code).toBe(2);
  expect(stderr).toContain(
    "'speed' is not one of requests, growth, postgres, webhooks, backlog, client, flow, merchants, sandbox, costs",
  );
});
