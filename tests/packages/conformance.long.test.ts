/** The published conformance kit. All tests of conformance/dist are in this file. */
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../contract/src/model.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { run } from '../../scripts/tools/process.ts';
import { afterwards } from '../gateway/harness.ts';
import { testPackage } from './checks.ts';
import { installTarball, listPackages, type Packed, packWorkspace } from './install.ts';
import { itHasCommand, nodesOnPath } from './nodes.ts';

const NODES = await nodesOnPath('22.13');
const BIN = 'node_modules/payments-conformance/dist/payments-conformance.js';

let packed: Packed;
let project: string;
beforeAll(async () => {
  packed = await packWorkspace('conformance');
  project = await installTarball('conformance', packed);
});

describe('the package', () => {
  it('holds only the command, library, document and requirements', () => {
    const code = /^dist\/[\w-]+(\.d)?\.[jt]s$/;
    expect(packed.files.filter((file) => !code.test(file))).toEqual([
      'LICENSE',
      'README.md',
      'action.yml',
      'dist/assets/driver-template.ts',
      'dist/assets/openapi.json',
      `dist/assets/requirements/${readBundle().info.version}.json`,
      'driver-template.ts',
      'package.json',
    ]);
    expect(packed.files).toEqual(
      expect.arrayContaining(['dist/payments-conformance.js', 'dist/index.js', 'dist/vitest.js']),
    );
  });

  testPackage('conformance', () => packed, ['./driver-template.ts', './vitest']);

  it('installs at most 10 packages, without a test runner', async () => {
    const names = await listPackages(project);
    expect(names.length).toBeLessThanOrEqual(10);
    expect(names.filter((name) => /vitest|jest|mocha/.test(name))).toEqual([]);
  });
});

describe('an empty folder', () => {
  itHasCommand('payments-conformance', () => project, ['payments-conformance'], 2);

  it.each(NODES)('verifies a service on %s', async (_version, node) => {
    const gateway = await startGateway();
    afterwards(() => gateway.close());
    const env = { API_KEY: gateway.key, WEBHOOK_SECRET: gateway.secret };
    const args = [BIN, gateway.url, '--only', 'replay', '--html', 'report.html'];
    const { code, stdout } = await run(node, args, { cwd: project, env, allowFailure: true });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${gateway.url} conforms.`) });
  });
});
