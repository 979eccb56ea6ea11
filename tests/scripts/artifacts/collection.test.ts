/** The collection, loaded and run by Postman's own runtime on the mock and the gateway. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import runtime from 'postman-runtime';
import { describe, expect, it } from 'vitest';
import { startMock } from '../../../contract/src/mock/server.ts';
import { operations, readBundle } from '../../../contract/src/model.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenGateway } from '../../packages/client/gateway.ts';

const bundle = readBundle();
const json = JSON.parse(await readFile(join(ROOT, 'generated/postman-collection.json'), 'utf8'));
/** The runtime's own library loads collections. */
const { Collection } = createRequire(import.meta.resolve('postman-runtime'))('postman-collection') as Postman;

interface Postman {
  readonly Collection: new (definition: object) => runtime.Collection;
}

interface Outcome {
  readonly item: string;
  readonly failed: string[];
}

/**
 * Runs the collection in order, or the requests with these names, as Postman and newman do. Returns its assertions'
 * results per request.
 */
function runCollection(values: Readonly<Record<string, string>>, only?: RegExp): Promise<Outcome[]> {
  const definition = structuredClone(json);
  if (only)
    for (const folder of definition.item)
      folder.item = folder.item.filter(({ name }: { name: string }) => only.test(name));
  for (const variable of definition.variable) variable.value = values[variable.key] ?? variable.value;
  const outcomes: Outcome[] = [];
  return new Promise((resolve, reject) => {
    new runtime.Runner().run(new Collection(definition), {}, (error, run) => {
      if (error) return reject(error);
      run.start({
        assertion: (_cursor, results) => outcomes.at(-1)?.failed.push(...results.flatMap(describeFailure)),
        beforeItem: (_error, _cursor, { name }) => outcomes.push({ item: name, failed: [] }),
        request: (problem, _cursor, _response, { url }) => {
          if (problem) outcomes.at(-1)?.failed.push(`${url}: ${problem}`);
        },
        done: (problem) => (problem ? reject(problem) : resolve(outcomes)),
      });
    });
  });
}

function describeFailure({ name, error }: runtime.Assertion): string[] {
  return error ? [`${name}: ${error.message}`] : [];
}

describe('the collection', () => {
  it('has every operation in the folder of its tag', () => {
    const folders = json.item as { name: string; item: { name: string }[] }[];
    const found = folders.flatMap(({ name, item }) => item.map((one) => `${name}: ${one.name}`));
    const expected = operations(bundle).map(({ tags, summary }) => `${tags[0]}: ${summary}`);
    expect(found.sort()).toEqual(expected.sort());
  });

  it('runs on the mock, and every request passes its assertions', async () => {
    const mock = await startMock({ port: 0 });
    afterwards(() => mock.close());
    const outcomes = await runCollection({ base_url: mock.url, api_key: 'any' });
    expect(outcomes.filter(({ failed }) => failed.length > 0)).toEqual([]);
    expect(outcomes.length).toBeGreaterThanOrEqual(operations(bundle).length);
  });

  it('passes all assertions on a gateway, in repeated runs', async () => {
    const gateway = await listenGateway();
    const values = { base_url: gateway.baseUrl, api_key: gateway.key };
    const outcomes = [...(await runCollection(values)), ...(await runCollection(values, /^Create/))];
    expect(outcomes.filter(({ failed }) => failed.length > 0)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(operations(bundle).length);
  });

  it('fails on a service that refuses the key', async () => {
    const gateway = await listenGateway();
    const values = { base_url: gateway.baseUrl, api_key: 'sk_test_unknown' };
    const [first] = await runCollection(values, /balance/);
    expect(first?.failed[0]).toMatch(/^responds with 200: expected response to have status code 200 but got 401/);
  });
});
