/** The collection, loaded by Postman's own library, and sent to the mock and the gateway. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import postman from 'postman-collection';
import { beforeAll, describe, expect, it } from 'vitest';
import { startMock } from '../../../contract/src/mock/server.ts';
import { operations, readBundle, requestExamples } from '../../../contract/src/model.ts';
import { collectionArtifact } from '../../../scripts/artifacts/collection.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { afterwards } from '../../gateway/harness.ts';
import { listenGateway } from '../../packages/client/gateway.ts';

const bundle = readBundle();
const json = JSON.parse(await readFile(join(ROOT, 'generated/postman-collection.json'), 'utf8'));
const collection = new postman.Collection(json);
const items: postman.Item[] = [];
collection.forEachItem((item) => items.push(item));

/** Sends an item as Postman does: with the collection's variables and credential. */
async function send(item: postman.Item, values: Readonly<Record<string, string>>): Promise<Response> {
  const known = [{ ...collection.variables.toObject(), ...values }];
  const request = new postman.Request(postman.Property.replaceSubstitutionsIn(item.request.toJSON(), known, false));
  const token = collection.auth?.parameters().one('token')?.value;
  const body = request.body?.raw;
  return fetch(request.url.toString(), {
    method: request.method,
    headers: {
      ...request.getHeaders(),
      authorization: `Bearer ${postman.Property.replaceSubstitutions(token, known)}`,
    },
    ...(body !== undefined && { body }),
  });
}

describe('the collection', () => {
  let baseUrl: string;
  beforeAll(async () => {
    const mock = await startMock({ port: 0 });
    afterwards(() => mock.close());
    baseUrl = mock.url;
  });

  it('has every operation in the folder of its tag, and every body of the examples', () => {
    const folders = json.item as { name: string; item: { name: string }[] }[];
    const found = folders.flatMap(({ name, item }) => item.map((one) => `${name}: ${one.name}`));
    expect(found.sort()).toEqual(
      operations(bundle)
        .map(({ tags, summary }) => `${tags[0]}: ${summary}`)
        .sort(),
    );
    const bodies = operations(bundle).flatMap((operation) =>
      requestExamples(operation).flatMap(({ body }) => (body === undefined ? [] : [body])),
    );
    const sent = items.flatMap(({ request: { body } }) => (body ? [JSON.parse(String(body.raw))] : []));
    expect(sent).toEqual(bodies);
  });

  it('has the responses of the examples', () => {
    const count = operations(bundle).flatMap(({ responses }) => responses.filter(({ status }) => status < '300'));
    const examples = count.flatMap(({ body }) => body?.examples ?? []);
    const saved = items.flatMap(({ responses }) => responses.all());
    expect(saved).toHaveLength(examples.length);
    expect(saved.map(({ code }) => code)).toEqual(expect.arrayContaining([200, 201]));
  });

  it.each(items.map((item) => ({ name: item.name, item })))('sends what the mock accepts: $name', async ({ item }) => {
    const response = await send(item, { base_url: baseUrl, api_key: 'any' });
    expect(response.status, await response.text()).toBe(item.responses.idx(0)?.code);
  });

  it('keeps the id of what was created for the requests about it', async () => {
    const gateway = await listenGateway();
    const kept: Record<string, string> = { base_url: gateway.baseUrl, api_key: gateway.key };
    for (const item of items.filter(({ events }) => events.count() > 0)) {
      const response = await send(item, kept);
      const body = await response.json();
      const script = String(item.events.idx(0)?.script?.toSource());
      const pm = {
        response: { code: response.status, json: () => body },
        collectionVariables: { set: (name: string, value: string) => Object.assign(kept, { [name]: value }) },
      };
      new Function('pm', script)(pm);
    }
    const reads = items.filter(({ request }) => request.method === 'GET' && request.url.variables.count() > 0);
    const statuses = await Promise.all(reads.map(async (item) => (await send(item, kept)).status));
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(['transaction_id', 'payout_id']));
    expect(statuses).toEqual([200, 200]);
  });

  it('sends the key in the header that the contract names', () => {
    const odd = structuredClone(bundle);
    odd.components['securitySchemes'] = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
    const { auth } = JSON.parse(collectionArtifact(odd));
    expect(auth).toMatchObject({
      type: 'apikey',
      apikey: [{ key: 'key', value: 'X-Key' }, { value: '{{api_key}}' }, {}],
    });
  });
});
