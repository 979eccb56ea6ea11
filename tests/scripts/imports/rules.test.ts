import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import configuration, { PARTS, RULES } from '../../../dependency-cruiser.config.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../tools/temporary.ts';

/** Forbidden imports: the file, its import, and the violated rule. Rows of the table of parts share their form. */
const REFUSED: [file: string, imported: string, rule: string][] = [
  ['contract/src/a.ts', '../../gateway/src/domain/x.ts', 'contract/src'],
  ['conformance/driver-template.ts', '../contract/src/x.ts', 'conformance/driver-template.ts'],
  ['gateway/src/domain/a.ts', '../database/x.ts', 'gateway/src/domain'],
  ['gateway/src/domain/c.ts', 'node:fs', 'domain without input and output'],
  ['gateway/src/domain/d.ts', '../../../generated/x.ts', 'domain without the wire format'],
  ['gateway/src/database/postgres/a.ts', 'node:sqlite', 'package node:sqlite'],
  ['gateway/src/database/sqlite/a.ts', 'pg', 'package pg'],
  ['gateway/src/database/wasm/a.ts', 'node:fs', 'store in a page'],
  ['gateway/src/merchants/b.ts', 'pg', 'package pg'],
  ['gateway/src/http/c.ts', 'node:crypto', 'core without Node'],
  ['gateway/src/http/d.ts', '@opentelemetry/api', 'package @opentelemetry'],
  ['gateway/src/http/e.ts', '@hono/node-server', 'package @hono'],
  ['gateway/src/webhooks/b.ts', 'prom-client', 'package prom-client'],
  ['gateway/src/transactions/b.ts', 'fastify', 'package fastify'],
  ['gateway/src/transactions/c.ts', 'node:http', 'package node:http'],
  ['gateway/src/payments/a.ts', '../payouts/x.ts', 'gateway/src/payments'],
  ['gateway/src/payments/b.ts', '../transactions/write-step.ts', 'one way from a step to the store'],
  ['gateway/src/payouts/b.ts', '@sqlite.org/sqlite-wasm', 'package @sqlite.org/sqlite-wasm'],
  ['gateway/src/core.ts', './server/x.ts', 'gateway/src/core.ts'],
  ['gateway/src/ledger/c.ts', 'preact', 'package preact'],
  ['gateway/src/ledger/d.ts', 'htm', 'package htm'],
  ['gateway/src/ledger/e.ts', 'openapi-fetch', 'package openapi-fetch'],
  ['gateway/src/ledger/f.ts', 'openapi-typescript', 'package openapi-typescript'],
  ['gateway/src/server.ts', './sandbox/x.ts', 'sandbox only where it is switched on'],
  ['gateway/src/server.ts', './ledger/x.ts', 'gateway/src/server.ts'],
  ['tests/a.ts', '../gateway/x.ts', 'tests'],
  ['gateway/a.ts', './src/domain/x.ts', 'unknown part'],
  ['scripts/b.ts', './not-there.ts', 'missing file or package'],
  ['scripts/one/a.ts', '../two/a.ts', 'cycle of folders'],
  ['scripts/two/a.ts', '../one/b.ts', 'cycle of folders'],
  ['scripts/c.ts', './d.ts', 'cycle of files'],
];

describe('the check of imports', () => {
  let violations: { rule: string; from: string }[];
  beforeAll(async () => {
    const folder = await writeProject();
    const { output } = await cruise([...new Set(REFUSED.map(([file]) => file.split('/')[0] ?? ''))], {
      baseDir: folder,
      ruleSet: { forbidden: [...RULES] },
      validate: true,
      ...configuration.options,
    });
    violations = (output as ICruiseResult).summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
  });

  it.each(REFUSED)('refuses that %s imports %s, by the rule "%s"', (file, _, rule) => {
    const place = rule === 'cycle of folders' ? dirname(file) : file;
    expect(violations.filter(({ from }) => from === place).map((violation) => violation.rule)).toContain(rule);
  });

  it('has a forbidden import for every rule that is not a row of the table of parts', () => {
    const found = new Set(REFUSED.map(([, , rule]) => rule));
    expect(RULES.filter(({ name = '' }) => !(name in PARTS) && !found.has(name))).toEqual([]);
  });

  it('lets each part import only parts of earlier rows, so that the table has no cycle', () => {
    const names = Object.keys(PARTS);
    for (const [index, [part, allowed]] of Object.entries(PARTS).entries()) {
      const later = allowed.filter((other) => names.some((name, at) => name === other && at >= index));
      expect(later, `${part} may import`).toEqual([]);
    }
  });
});

it('ARCHITECTURE.md lists the folders of the gateway so that each imports only folders below it', async () => {
  const text = await readFile(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const inside = /^## The gateway$(.*?)^## /ms.exec(text)?.[1] ?? '';
  const listed = [...inside.matchAll(/^\| `([\w/-]+)\/`/gm)].map(([, name]) => `gateway/src/${name}`);
  const folders = Object.entries(PARTS).filter(([part]) => /^gateway\/src\/[\w/-]+$/.test(part));
  expect(listed.toSorted()).toEqual(folders.map(([part]) => part).toSorted());
  for (const [part, allowed] of folders) {
    const above = allowed.filter((other) => listed.includes(other) && listed.indexOf(other) < listed.indexOf(part));
    expect(above, `${part} imports`).toEqual([]);
  }
});

/** A tree with the refused imports, and empty files as their targets. */
async function writeProject(): Promise<string> {
  const folder = await temporaryFolder('imports');
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  for (const part of Object.keys(PARTS)) {
    if (!part.endsWith('.ts')) await write(`${part}/x.ts`, 'export const x = 1;\n');
  }
  for (const file of ['gateway/x.ts', 'gateway/src/transactions/write-step.ts', 'scripts/one/b.ts'])
    await write(file, 'export const x = 1;\n');
  await write('scripts/d.ts', "import { y } from './c.ts';\nexport const x = y;\n");
  const packages = [
    ...['pg', 'fastify', 'prom-client', 'preact', 'htm', '@sqlite.org/sqlite-wasm'],
    ...['@opentelemetry/api', '@hono/node-server', 'openapi-fetch', 'openapi-typescript'],
  ];
  for (const name of packages) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await write(`node_modules/${name}/index.js`, '');
  }
  await write(
    'package.json',
    JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) }),
  );
  await write('tsconfig.json', '{}');
  for (const [file, refused] of Map.groupBy(REFUSED, ([file]) => file)) {
    const lines = refused.map(([, imported], index) => `export { x as x${index} } from '${imported}';\n`);
    await write(file, `${lines.join('')}export const y = 1;\n`);
  }
  return folder;
}
