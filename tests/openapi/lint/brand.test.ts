import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../../contract/src/model.ts';
import { brand } from '../../../openapi/lint/brand.ts';
import { unstampedPlaces } from '../../../scripts/artifacts/unstamped.ts';
import { type Ran, ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';
import { inFolder } from './lint.ts';

describe('the brand', () => {
  it('replaces the title, the signature header and the introduction by one setting', async () => {
    const { bundle } = await bundleAs({ name: 'Acme', site: 'https://docs.acme.example' });
    expect(bundle?.info.title).toMatch(/^Acme /);
    expect(bundle?.components.parameters['BrandSignature']?.name).toBe('X-Acme-Signature');
    expect(bundle?.info.description).toContain('`X-Acme-Signature`');
    expect(bundle?.externalDocs).toMatchObject({ url: 'https://docs.acme.example' });
    expect(JSON.stringify(bundle).match(/X-Gateway|docs\.gateway\.example/g)).toBeNull();
    expect(unstampedPlaces(bundle)).toEqual([]);
  });

  it('stops the bundling if it is invalid in a header', async () => {
    const { code, stderr } = await bundleAs({ name: 'Acme Pay', site: 'https://docs.acme.example' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'redocly.yaml: decorators, contract/brand, name is "Acme Pay"; ' +
        'write letters and digits, with single hyphens between them, such as Acme or Acme-Pay',
    );
  });

  it.each([{ name: 'Acme:' }, { name: '-Acme' }, { name: 'Acme--Pay' }, { name: '' }, { name: 7 }, {}])(
    'is refused as %j',
    (settings) => {
      expect(() => brand(settings as never)).toThrow('contract/brand, name is ');
    },
  );

  it.each(['http://docs.acme.example', 'https://docs.acme.example/', 'https://docs.acme.example?a', '', 7, undefined])(
    'has no site at %j',
    (site) => {
      expect(() => brand({ name: 'Acme', site })).toThrow('contract/brand, site is ');
    },
  );
});

describe('the search for unbranded text', () => {
  it('finds texts and names anywhere', () => {
    const document = {
      info: { title: '<BRAND> API' },
      headers: { 'X-<BRAND>-Id': {} },
      list: [{ value: ['a <BRAND>'] }],
    };
    expect(unstampedPlaces(document)).toEqual(['/info/title', '/headers/X-<BRAND>-Id', '/list/0/value/0']);
  });
});

/** Bundles the contract with these settings of the decorator. */
function bundleAs(settings: object): Promise<Ran & { bundle?: Bundle }> {
  return inFolder(async (folder) => {
    const config = join(folder, 'redocly.yaml');
    const output = join(folder, 'bundle.json');
    await writeFile(
      config,
      JSON.stringify({
        plugins: [join(ROOT, 'openapi/lint/plugin.ts')],
        decorators: { 'contract/brand': settings },
        apis: { payments: { root: join(ROOT, 'openapi/openapi.yaml') } },
      }),
    );
    const ran = await redocly(['bundle', 'payments', '--config', config, '--output', output], { allowFailure: true });
    return ran.code === 0 ? { ...ran, bundle: JSON.parse(await readFile(output, 'utf8')) as Bundle } : ran;
  });
}
