/** The code samples of the contract, each one run against the gateway as a reader would run it. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Operation, operations, readBundle } from '../../../contract/src/model.ts';
import { addSamples, operationSamples } from '../../../scripts/artifacts/samples/samples.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { type ListeningGateway, listenGateway } from '../../packages/client/gateway.ts';
import { commandExists } from '../../tools/commands.ts';
import { withTransaction } from './example-calls.ts';

const bundle = readBundle();
const all = operations(bundle);
const sampleOf = (operation: Operation, label: string) =>
  bundle.paths[operation.path]?.[operation.method]?.['x-codeSamples']?.find((sample) => sample.label === label)
    ?.source ?? '';

let folder = '';
let gateway: ListeningGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'samples-'));
  gateway = await listenGateway();
});
afterAll(() => rm(folder, { recursive: true }));

/** The programs that run a sample. The client is this repository's, which is installed where a reader runs it. */
const LANGUAGES: Record<string, (name: string, source: string) => Promise<[command: string, args: string[]]>> = {
  curl: async (_name, source) => ['sh', ['-c', source]],
  TypeScript: async (name, source) => {
    const file = join(folder, `${name}.ts`);
    const client = pathToFileURL(join(ROOT, 'client/src/index.ts')).href;
    await writeFile(file, source.replace("'payments-client'", `'${client}'`));
    return [process.execPath, [file]];
  },
  Python: async (_name, source) => ['python3', ['-c', source]],
};

const NEEDED: Record<string, string> = { curl: 'curl', TypeScript: 'node', Python: 'python3' };

describe.each(Object.keys(LANGUAGES))('the samples in %s', (label) => {
  const needed = NEEDED[label] ?? '';
  const isHere = needed === 'node' || commandExists(needed);

  it.skipIf(!isHere).each(all)(`of $id do what they say, unless ${needed} is not installed`, async (operation) => {
    const source = await withTransaction(gateway, operation, sampleOf(operation, label));
    const [command, args] = (await LANGUAGES[label]?.(operation.id, source)) ?? ['', []];
    const env = { ...process.env, BASE_URL: gateway.baseUrl, API_KEY: gateway.key, NO_PROXY: '*' };
    const { stdout } = await promisify(execFile)(command, args, { env });
    if (operation.id === 'getBalance') expect(stdout).toMatch(/merchant_id/);
    else expect(stdout).toMatch(/(pay|out)_\w+/);
    expect(stdout).not.toMatch(/problems/);
  });
});

describe('the TypeScript samples', () => {
  it('compile under the strictest settings of the repository', async () => {
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    const project = await mkdtemp(join(cache, 'samples-'));
    for (const operation of all) {
      await writeFile(join(project, `${operation.id}.ts`), `${sampleOf(operation, 'TypeScript')}\nexport {};\n`);
    }
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { paths: { 'payments-client': [join(ROOT, 'client/src/index.ts')] } },
      include: ['*.ts'],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript7/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '--noEmit', '-p', project], { allowFailure: true });
    await rm(project, { recursive: true });
    expect(stdout).toBe('');
  });
});

describe('samples', () => {
  it('keep quotes of an example in one piece', () => {
    const odd = structuredClone(bundle);
    const operation = operations(odd).find(({ request }) => request);
    const body = operation?.request?.examples[0];
    if (!operation || !body) throw new Error('no operation has a body');
    body.value = { name: 'O\'Neil "O"', agreed: true };
    const [curl = '', typescript = '', python = ''] = operationSamples(odd, operation).map(({ source }) => source);
    expect(curl).toContain(`O'\\''Neil \\"O\\"`);
    expect(typescript).toContain(`name: 'O\\'Neil "O"'`);
    expect(python).toContain(`"name": "O'Neil \\"O\\"",\n    "agreed": True`);
  });

  it('carry the key in the header that the contract names', () => {
    const odd = structuredClone(bundle);
    odd.components['securitySchemes'] = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const [operation] = operations(odd);
    if (!operation) throw new Error('the contract has no operation');
    const [curl = '', typescript = '', python = ''] = operationSamples(odd, operation).map(({ source }) => source);
    expect(curl).toContain('--header "X-Key: $API_KEY"');
    expect(typescript).toContain(`auth: { 'X-Key': \`\${process.env['API_KEY']}\` }`);
    expect(python).toContain('"X-Key": os.environ["API_KEY"]');
  });

  it('are refused when the contract has a credential that they do not know', () => {
    const odd = structuredClone(bundle);
    odd.components['securitySchemes'] = { login: { type: 'oauth2' } };
    expect(() => addSamples(odd)).toThrow('samples know bearer and header credentials only');
  });
});
