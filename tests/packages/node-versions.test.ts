/** The message on an older Node: one line with the required version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder } from '../gateway/harness.ts';
import { writeFiles } from '../tools/temporary.ts';
import { AS_OLD_NODE, oldNodeLine } from './nodes.ts';

const old = (...args: string[]) => run(process.execPath, [...AS_OLD_NODE, ...args], { allowFailure: true });

describe('on an older Node', () => {
  it.each([
    ['gateway', 'cli', 1],
    ['contract', 'bin', 1],
    ['conformance', 'bin', 2],
  ])('the command of %s (src/%s.ts) prints one line and exits with %i', async (name, file, exitCode) => {
    const { code, stdout, stderr } = await old(join(ROOT, name, `src/${file}.ts`), '--version');
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(oldNodeLine(`payments-${name}`));
  });

  it('npm start prints one line and exits with 1 in a clone without a suitable Node', async () => {
    const folder = await temporaryFolder();
    const scripts = ['run.mjs', 'tools/gateway-apis.mjs', 'tools/node.mjs', 'tools/progress.mjs', 'commands.json'];
    const files = ['package.json', 'package-lock.json', ...scripts.map((name) => `scripts/${name}`)];
    await writeFiles(folder, Object.fromEntries(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')])));
    await writeFiles(folder, { 'node_modules/.package-lock.json': '{}' });
    const { code, stdout, stderr } = await old(join(folder, 'scripts/run.mjs'), 'start');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^payments-kit needs Node 24 or newer; this is v20\.20\.2, .* Install .*nodejs\.org.*\n$/);
  });
});
