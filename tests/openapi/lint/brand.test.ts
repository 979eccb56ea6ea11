import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../../contract/src/model.ts';
import { brand } from '../../../openapi/lint/brand.ts';
import { unstampedPlaces } from '../../../scripts/artifacts/unstamped.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { inFolder } from './lint.ts';

const site = 'https://docs.acme.example';

describe('the brand', () => {
  it('replaces the title, the signature header and the introduction by one setting', async () => {
    const bundle = await bundleAs({ name: 'Acme', site });
    expect(bundle.info.title).toMatch(/^Acme /);
    expect(bundle.components.parameters['BrandSignature']?.name).toBe('X-Acme-Signature');
    expect(bundle.info.description).toContain('`X-Acme-Signature`');
    expect(bundle.externalDocs).toMatchObject({ url: site });
    expect(JSON.stringify(bundle).match(/X-Gateway|docs\.gateway\.example/g)).toBeNull();
    expect(unstampedPlaces(bundle)).toEqual([]);
  });

  it.each([
    ...['Acme:', '-Acme', 'Acme--Pay', '', 7, undefined].map((name) => ({ name, site })),
    ...['http://docs.acme.example', `${site}/`, `${site}?a`, '', 7].map((wrong) => ({ name: 'Acme', site: wrong })),
  ])('is refused as %j', (settings) => {
    expect(() => brand(settings as never)).toThrow(/contract\/brand, (name|site) is /);
  });
});

it('the search for unbranded text finds values and names anywhere', () => {
  const headers = { 'X-<BRAND>-Id': {} };
  const document = { info: { title: '<BRAND> API' }, headers, list: [{ value: ['a <BRAND>'] }] };
  expect(unstampedPlaces(document)).toEqual(['/info/title', '/headers/X-<BRAND>-Id', '/list/0/value/0']);
});

/** Bundles the contract with these settings of the decorator. */
function bundleAs(settings: object): Promise<Bundle> {
  return inFolder(async (folder) => {
    const config = join(folder, 'redocly.yaml');
    const output = join(folder, 'bundle.json');
    const redoclyConfig = {
      plugins: [join(ROOT, 'openapi/lint/plugin.ts')],
      decorators: { 'contract/brand': settings },
      apis: { payments: { root: join(ROOT, 'openapi/openapi.yaml') } },
    };
    await writeFile(config, JSON.stringify(redoclyConfig));
    await redocly(['bundle', 'payments', '--config', config, '--output', output]);
    return JSON.parse(await readFile(output, 'utf8')) as Bundle;
  });
}
