/** The contract's code samples: they compile, and send the expected requests. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations, readBundle, SAMPLE_KEY } from '../../../contract/src/model.ts';
import { sampleCall } from '../../../scripts/artifacts/samples/call.ts';
import { operationSamples } from '../../../scripts/artifacts/samples/samples.ts';
import { templateSamples } from '../../../scripts/artifacts/samples/templates.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { describeSamples, findSample } from './run-samples.ts';

const bundle = readBundle();
const all = operations(bundle);
// samples.long.test.ts covers all operations.
describeSamples(all.filter(({ request, path }) => request && !path.includes('{')).slice(0, 1));

describe('the TypeScript samples', () => {
  it('compile under the strictest settings of the repository', async () => {
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    const project = await mkdtemp(join(cache, 'samples-'));
    for (const operation of all) {
      const source = findSample(bundle, operation, 'TypeScript');
      await writeFile(join(project, `${operation.id}.ts`), `${source}\nexport {};\n`);
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
  it('keep quotes of an example intact', () => {
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

  it('keep quotes, backticks and backslashes of a call in further languages', () => {
    const [operation] = all.filter(({ request }) => request);
    if (!operation) throw new Error('no operation has a body');
    const request = { path: {}, query: {}, body: { name: '`"\\' } };
    const call = { ...sampleCall(bundle, operation), path: "/payments/o'1", request };
    const [php, go, java, csharp, ruby] = templateSamples(call).map(({ source }) => source);
    expect(php).toContain("curl_init($baseUrl . '/payments/o%271')");
    for (const source of [php, csharp, ruby]) expect(source).toContain('"name": "`\\"\\\\"');
    expect(go).toContain('"name": "\\u0060\\"\\\\"');
    expect(java).toContain('"name": "`\\\\"\\\\\\\\"');
  });

  it("send the key in the contract's header", () => {
    const odd = structuredClone(bundle);
    odd.components['securitySchemes'] = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const [operation] = operations(odd);
    if (!operation) throw new Error('the contract has no operation');
    const [curl = '', typescript = '', python = ''] = operationSamples(odd, operation).map(({ source }) => source);
    expect(curl).toContain(`--header "X-Key: \${API_KEY:-${SAMPLE_KEY}}"`);
    expect(typescript).toContain(`auth: { 'X-Key': \`\${process.env['API_KEY'] ?? '${SAMPLE_KEY}'}\` }`);
    expect(python).toContain('"X-Key": api_key');
  });
});
