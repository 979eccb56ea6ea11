import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildSite, siteDocument } from '../../../scripts/reference/site.ts';
import { temporaryFolder } from '../../gateway/harness.ts';

it('puts a further chapter after the one that it names', async () => {
  const { info } = await siteDocument({
    chapters: [{ after: 'Decline reasons', markdown: '# Extra chapter\n\nMARK-OF-THE-CHAPTER' }],
  });
  const order = ['# Decline reasons', 'MARK-OF-THE-CHAPTER', '# Webhooks'].map((text) =>
    info.description.indexOf(text),
  );
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(order).not.toContain(-1);
});

it('refuses a chapter after one that is not there', async () => {
  await expect(siteDocument({ chapters: [{ after: 'Nothing', markdown: '# X' }] })).rejects.toThrow(
    'no chapter "Nothing"',
  );
});

it('names the server that is given, in its samples too', async () => {
  const file = join(await temporaryFolder(), 'page.html');
  await buildSite({ file, server: { url: 'http://127.0.0.1:4000', description: 'This gateway.' } });
  const page = await readFile(file, 'utf8');
  expect(page).toContain('<meta name="server" content="http://127.0.0.1:4000">');
  expect(page).not.toMatch(/https:..api\.(test\.)?gateway\.example/);
});
