/**
 * The client with another generator's types: openapi-typescript can be replaced
 * (docs/decisions/0025-replaceable-generator.md).
 */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { ABSENT, forTypes } from '../../../scripts/artifacts/types/documents.ts';
import { ownTypes } from '../../../scripts/artifacts/types/types.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { Document } from '../../journeys/tools/document.ts';

const bundle = readBundle();
const COMPILER = join(ROOT, 'node_modules/typescript7/bin/tsc');

it('compiles the client, and programs that use it, with the types of hey-api', async () => {
  const folder = await temporaryFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const source of ['client/src', 'contract/src', 'generated']) {
    await mkdir(join(folder, source), { recursive: true });
    await cp(join(ROOT, source), join(folder, source), { recursive: true });
  }
  await writeFile(join(folder, 'generated/types.ts'), await otherTypes(folder));
  const consumer = await readFile(join(ROOT, 'tests/packages/client/consumer.ts.txt'), 'utf8');
  await writeFile(join(folder, 'consumer.ts'), consumer);
  await writeFile(join(folder, 'readme.ts'), new Document('client/README.md').take('createPaymentsClient', 'ts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(await tsconfig()));

  const { stdout, code } = await run(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, allowFailure: true });
  expect([code, stdout]).toEqual([0, '']);
});

/** generated/types.ts with hey-api's schemas. */
async function otherTypes(folder: string): Promise<string> {
  const { document } = forTypes(bundle);
  const absent = { $ref: '#/components/schemas/Absent' };
  const input = JSON.parse(JSON.stringify(document), (_key, value) => (Object(value)[ABSENT] ? absent : value));
  input.components.schemas.Absent = { type: 'string' };
  await createClient({
    input,
    output: join(folder, 'hey'),
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  const schemas = await readFile(join(folder, 'hey/types.gen.ts'), 'utf8');
  return schemas.replace('export type Absent = string', 'export type Absent = undefined') + ownTypes(bundle);
}

/** The repository's options, except for its layout. */
async function tsconfig(): Promise<object> {
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  const names = ['payments-client', 'payments-client/webhooks', 'payments-client/testing'];
  const paths = Object.fromEntries(names.map((name) => [name, compilerOptions.paths[name]]));
  return {
    compilerOptions: {
      ...compilerOptions,
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      paths,
      exactOptionalPropertyTypes: false,
    },
    include: ['*.ts', 'client/src'],
  };
}
