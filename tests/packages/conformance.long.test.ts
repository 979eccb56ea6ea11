/** The conformance kit as it is published. Everything that needs conformance/dist is in this file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../../gateway/src/index.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { publintProblems } from './checks.ts';
import { installTarball, npm, type Packed, packagesOf, packWorkspace } from './install.ts';
import { nodesOnPath } from './nodes.ts';

const NODES = await nodesOnPath('22.13');
const BIN = 'node_modules/payments-conformance/dist/payments-conformance.js';

let packed: Packed;
let project: string;
beforeAll(async () => {
  packed = await packWorkspace('conformance');
  project = await installTarball('conformance', packed);
}, 120_000);

describe('the package', () => {
  it('holds command, library, document and requirements, and nothing else', () => {
    const code = /^dist\/[\w-]+(\.d)?\.[jt]s$/;
    expect(packed.files.filter((file) => !code.test(file))).toEqual([
      'LICENSE',
      'README.md',
      'action.yml',
      'dist/assets/locations.json',
      'dist/assets/openapi.json',
      'dist/assets/requirements/2.0.0.json',
      'driver-template.ts',
      'package.json',
    ]);
    expect(packed.files).toEqual(
      expect.arrayContaining(['dist/payments-conformance.js', 'dist/index.js', 'dist/vitest.js']),
    );
  });

  it("holds the repository's license", async () => {
    const text = await readFile(join(ROOT, 'conformance/LICENSE'), 'utf8');
    expect(text).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
  });

  it('is clean for publint', async () => {
    expect(await publintProblems(packed)).toEqual([]);
  });

  it('installs fewer than 10 packages, no test runner among them', async () => {
    const names = await packagesOf(project);
    expect(names.length).toBeLessThan(10);
    expect(names.filter((name) => /vitest|jest|mocha/.test(name))).toEqual([]);
  });
});

describe('an empty folder', () => {
  it('has the command, with help', async () => {
    const { stdout } = await npm('npx', ['--offline', 'payments-conformance', '--help'], project);
    expect(stdout).toContain('Usage: payments-conformance');
  });

  it.each(NODES)(
    'verifies a service on %s',
    async (_version, node) => {
      const gateway = await startGateway();
      afterwards(() => gateway.close());
      const env = { API_KEY: gateway.key, WEBHOOK_SECRET: gateway.secret };
      const args = [BIN, gateway.url, '--only', 'replay', '--html', 'report.html', '--sarif', 'results.sarif'];
      const { code, stdout } = await run(node, args, { cwd: project, env, allowFailure: true });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${gateway.url} conforms.`) });
    },
    30_000,
  );

  it('exits with 1 when no service is there', async () => {
    const args = [BIN, 'http://127.0.0.1:1'];
    const { code } = await run(process.execPath, args, { cwd: project, allowFailure: true });
    expect(code).toBe(1);
  });
});
