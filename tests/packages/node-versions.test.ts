/** The message on an older Node: one line with the required version. */
import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import conformancePackage from '../../conformance/package.json' with { type: 'json' };
import { explainOldNode } from '../../contract/src/node-version.ts';
import gatewayPackage from '../../gateway/package.json' with { type: 'json' };
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../gateway/harness.ts';
import { AS_OLD_NODE, oldNodeLine } from './nodes.ts';

const old = (args: string[], options = {}) =>
  run(process.execPath, [...AS_OLD_NODE, ...args], { allowFailure: true, ...options });

describe('on an older Node', () => {
  it.each([
    ['gateway', 'cli', 1],
    ['contract', 'bin', 1],
    ['conformance', 'bin', 2],
  ])('the command of %s (src/%s.ts) prints one line and exits with %i', async (name, file, exitCode) => {
    const { code, stdout, stderr } = await old([join(ROOT, name, `src/${file}.ts`), '--version']);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(oldNodeLine(`payments-${name}`));
  });

  it.each([
    ['gateway', 'index'],
    ['conformance', 'index'],
    ['conformance', 'vitest'],
  ])('an import of %s/src/%s.ts throws the line', async (name, file) => {
    const program = `await import('./${name}/src/${file}.ts').catch(({ message }) => console.log(message))`;
    expect((await old(['--input-type=module', '-e', program])).stdout).toMatch(oldNodeLine(`payments-${name}`));
  });

  it('npm start prints one line and exits with 1 in a clone without a suitable Node', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'scripts/tools'), { recursive: true });
    await mkdir(join(folder, 'node_modules'));
    for (const file of [
      'scripts/run.mjs',
      ...['gateway-apis', 'node', 'progress'].map((name) => `scripts/tools/${name}.mjs`),
      'scripts/commands.json',
      'package.json',
      'package-lock.json',
    ])
      await copyFile(join(ROOT, file), join(folder, file));
    const installed = join(folder, 'node_modules/.package-lock.json');
    await writeFile(installed, '{}');
    await utimes(installed, new Date(), new Date(Date.now() + 60_000));
    const { code, stdout, stderr } = await old([join(folder, 'scripts/run.mjs'), 'start']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^payments-kit needs Node 24 or newer; this is v20\.20\.2, .* Install .*nodejs\.org.*\n$/);
  });

  it('precedes the version in package.json', () => {
    expect(explainOldNode({ name: 'x', engines: { node: '>=99' } })).toContain('x needs Node 99 or newer');
    expect(explainOldNode({ name: 'x', engines: { node: `>=${process.versions.node}` } })).toBeUndefined();
    expect([gatewayPackage, conformancePackage].map(explainOldNode)).toEqual([undefined, undefined]);
  });
});
