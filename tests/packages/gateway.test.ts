/** The published gateway, in short: packed, installed and started. `npm run test:long` covers the other packages. */
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import gatewayPackage from '../../gateway/package.json' with { type: 'json' };
import { run } from '../../scripts/tools/process.ts';
import { revision } from '../../scripts/tools/revision.ts';
import { expectPayment } from './gateway/payment.ts';
import { expectTraces } from './gateway/traces.ts';
import { installTarball, packWorkspace } from './install.ts';

it('the packed gateway installs without a registry, starts in an empty folder and takes a payment', async () => {
  const packed = await packWorkspace('gateway');
  const needed = [
    ...['dist/assets/openapi.json', 'dist/payments-gateway.js', 'dist/THIRD-PARTY-LICENSES.txt'],
    ...['dist/docs/operations.md', 'dist/docs/operations/upgrading.md'],
  ];
  expect(packed.files).toEqual(expect.arrayContaining(needed));
  const folder = await installTarball('gateway', packed);
  const command = join(folder, 'node_modules/payments-gateway/dist/payments-gateway.js');
  const { stdout } = await run(process.execPath, [command, '--version'], { env: { PAYMENTS_REVISION: 'another' } });
  expect(stdout.trim()).toBe([gatewayPackage.version, revision()].filter(Boolean).join('+'));
  expect(await findFiles(folder, 'OTLPTraceExporter')).toEqual([expect.stringMatching(/^open-telemetry-[\w-]+\.js$/)]);
  expect(await deadLinks(join(folder, 'node_modules/payments-gateway/dist/docs'))).toEqual([]);
  await expectPayment(folder, process.execPath);
  await expectTraces(folder, process.execPath);
}, 300_000);

/** Scripts of the installed package that contain a name. A start loads no optional package. */
async function findFiles(project: string, name: string): Promise<string[]> {
  const dist = join(project, 'node_modules/payments-gateway/dist');
  const found: string[] = [];
  for await (const file of glob('*.js', { cwd: dist })) {
    if ((await readFile(join(dist, file), 'utf8')).includes(name)) found.push(file);
  }
  return found;
}

/** Links in a folder's guides to missing files. */
async function deadLinks(folder: string): Promise<string[]> {
  const dead: string[] = [];
  for await (const guide of glob('**/*.md', { cwd: folder })) {
    const text = await readFile(join(folder, guide), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s#]+)/g)].map(([, link = '']) => link);
    dead.push(
      ...links.filter((link) => !existsSync(join(folder, dirname(guide), link))).map((link) => `${guide}: ${link}`),
    );
  }
  return dead;
}
