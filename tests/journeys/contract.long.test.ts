/** contract/README.md from top to bottom: the packed contract in an empty folder, and its mock. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { responseExamples } from '../../generated/examples.ts';
import { ROOT } from '../../scripts/tools/process.ts';
import { compile } from '../packages/compile.ts';
import { freePort } from '../tools/loopback.ts';
import { freshClone } from './tools/clone.ts';
import { Document } from './tools/document.ts';
import { Reader } from './tools/reader.ts';
import { STEP_MS } from './tools/start.ts';

/** Replaces the function written by the reader. */
const VERIFICATION = `
import { verifyWebhook } from '${join(ROOT, 'client/src/webhooks.ts')}';
const yourVerification = ({ headers, body, secret, now }) =>
  verifyWebhook({ headers, body, secret, now: () => now * 1000 }).then(() => true, () => false);
`;

describe('contract/README.md', { timeout: STEP_MS }, () => {
  const readme = new Document('contract/README.md');
  let reader: Reader;

  beforeAll(async () => {
    const clone = new Reader(await freshClone({ installed: true }), { node: 'tests' });
    const project = join(dirname(clone.folder), 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    reader = new Reader(project, { ports: { 4010: await freePort() }, node: 'tests' });
    const [pack = '', install = ''] = readme.take('npm run package').trim().split('\n');
    await clone.run(pack);
    await reader.run(install);
    const { port } = new URL(reader.adapt('http://127.0.0.1:4010'));
    const mock = reader.start(`${readme.take('npx payments-contract mock').trim()} --port ${port}`);
    await mock.until(/http:\/\/\S+/);
  }, STEP_MS);

  it('has a program that uses the contract and talks to the mock', async () => {
    await writeFile(join(reader.folder, 'readme.ts'), reader.adapt(readme.take('readBundle')));
    await compile(reader.folder);
    expect((await reader.run('node readme.js')).out.split('\n')).toEqual([
      expect.stringContaining('createPayment'),
      'true false',
      responseExamples.createPayment[200]['h2h-upi'].transaction_id,
      '',
    ]);
  });

  it.each([
    ['pay_declined_LIMIT_EXCEEDED', '/payments', { status: 'FAILED', decline_reason: 'LIMIT_EXCEEDED' }],
    ['out_SUCCESS', '/payouts', { status: 'SUCCESS' }],
  ])('has the id %s for the mock', async (id, path, shown) => {
    const response = await fetch(reader.adapt(`http://127.0.0.1:4010${path}/${id}`), {
      headers: { authorization: 'Bearer any-key' },
    });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining(shown)]);
  });

  it('has a test of signature verification, which the client passes', async () => {
    await writeFile(join(reader.folder, 'vectors.mjs'), VERIFICATION + readme.take('yourVerification'));
    await reader.run('node vectors.mjs');
  });

  it('has a test with MSW, which runs with the other tests', async () => {
    const guide = await readFile(join(ROOT, 'tests/contract/msw/guide.test.ts'), 'utf8');
    expect(readme.take('setupServer')).toBe(guide);
  });

  it('leaves no block untested', () => expect(readme.leftOut()).toEqual([]));
});
