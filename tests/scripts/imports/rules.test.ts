import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { beforeAll, describe, expect, it } from 'vitest';
import configuration, { PARTS, RULES } from '../../../dependency-cruiser.config.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder, writeFiles } from '../../tools/temporary.ts';

/** Forbidden imports: the file, its import, and the violated rule. Rows of a table in the configuration share their form. */
const REFUSED: [file: string, imported: string, rule: string][] = [
  ['contract/src/a.ts', '../../gateway/src/domain/x.ts', 'contract/src'],
  ['gateway/src/domain/c.ts', 'node:fs', 'domain without input and output'],
  ['gateway/src/domain/d.ts', '../../../generated/x.ts', 'domain without the wire format'],
  ['gateway/src/database/wasm/a.ts', 'node:fs', 'store in a page'],
  ['gateway/src/http/c.ts', 'node:crypto', 'core without Node'],
  ['gateway/src/http/d.ts', '@opentelemetry/api', 'package @opentelemetry'],
  ['gateway/src/merchants/b.ts', 'pg', 'package pg'],
  ['gateway/src/transactions/c.ts', 'node:http', 'package node:http'],
  ['gateway/src/payments/b.ts', '../transactions/write-step.ts', 'one way from a step to the store'],
  ['gateway/src/core.ts', './server/x.ts', 'gateway/src/core.ts'],
  ['gateway/src/server.ts', './sandbox/x.ts', 'sandbox only where it is switched on'],
  ['tests/a.ts', '../gateway/x.ts', 'tests'],
  ['gateway/a.ts', './src/domain/x.ts', 'unknown part'],
  ['scripts/b.ts', './not-there.ts', 'missing file or package'],
  ['scripts/one/a.ts', '../two/a.ts', 'cycle of folders'],
  ['scripts/two/a.ts', '../one/b.ts', 'cycle of folders'],
  ['scripts/c.ts', './d.ts', 'cycle of files'],
];

const X = 'export const x = 1;\n';
const Y = 'export const y = 1;\n';

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

  it('has a forbidden import for every rule that is not a row of a table', () => {
    const found = new Set(REFUSED.map(([, , rule]) => rule));
    const isRow = (name: string) => name in PARTS || name.startsWith('package ');
    expect(RULES.filter(({ name = '' }) => !isRow(name) && !found.has(name))).toEqual([]);
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
  const parts = Object.keys(PARTS).filter((part) => !part.endsWith('.ts'));
  const targets = ['gateway/x.ts', 'gateway/src/transactions/write-step.ts', 'scripts/one/b.ts'];
  const packages = ['pg', '@opentelemetry/api'];
  await writeFiles(folder, {
    ...Object.fromEntries([...parts.map((part) => `${part}/x.ts`), ...targets].map((file) => [file, X])),
    ...Object.fromEntries(packages.map((name) => [`node_modules/${name}/package.json`, JSON.stringify({ name })])),
    ...Object.fromEntries(packages.map((name) => [`node_modules/${name}/index.js`, ''])),
    ...Object.fromEntries(REFUSED.map(([file, imported]) => [file, `export { x } from '${imported}';\n${Y}`])),
    'scripts/d.ts': "export { y as x } from './c.ts';\n",
    'package.json': JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) }),
    'tsconfig.json': '{}',
  });
  return folder;
}
