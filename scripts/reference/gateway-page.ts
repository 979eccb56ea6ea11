/**
 * The reference as the gateway serves it: the contract with a chapter on what its simulated channels do, which is left out
 * with LIVE, and a page for each of the gateway's own APIs.
 */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FILE, readBundle } from '../../contract/src/model.ts';
import { API_PAGE_FILES, BUILT_ADDRESS, LIVE_REFERENCE, REFERENCE } from '../../gateway/src/http/reference.ts';
import { API_FILES, GATEWAY_APIS } from '../../gateway/src/wire/gateway-apis.ts';
import { timed } from '../tools/progress.ts';
import { INDEX } from './markdown-pages.ts';
import { sandboxChapter } from './sandbox-chapter.ts';
import { buildPage, buildSite, CHANGELOG_FILE } from './site.ts';

/** The pages are made from the documents, from the simulator's tables, and from its own parts. */
const SOURCES = [
  BUNDLE_FILE,
  ...Object.values(API_FILES),
  ...['template.hbs', 'page.css', 'page.js', 'print.css', 'sandbox-chapter.ts'].map(
    (name) => new URL(name, import.meta.url),
  ),
  CHANGELOG_FILE,
  new URL('../../gateway/src/channel/scenarios.ts', import.meta.url),
  new URL('../../gateway/src/domain/methods.ts', import.meta.url),
];

/** Server on a page that is opened from a disk; a gateway shows its own address. */
const SERVER = { url: BUILT_ADDRESS, description: 'This gateway.' };

/** Builds the pages if a source is newer; that takes about three seconds. */
export async function buildGatewayPage(): Promise<void> {
  if (!(await isStale())) return;
  const chapters = [{ after: 'Decline reasons', markdown: sandboxChapter() }];
  await timed('reference', async () => {
    await buildSite({ file: fileURLToPath(REFERENCE.page), chapters, server: SERVER });
    await buildSite({ file: fileURLToPath(LIVE_REFERENCE.page), server: SERVER });
    for (const api of GATEWAY_APIS) {
      const document = readBundle(API_FILES[api]);
      await buildPage(fileURLToPath(API_PAGE_FILES[api]), document, { server: document.servers[0]?.url });
    }
  });
}

async function isStale(): Promise<boolean> {
  const references = [REFERENCE, LIVE_REFERENCE].flatMap(({ page, markdown }) => [page, new URL(INDEX, markdown)]);
  const outputs = [...references, ...Object.values(API_PAGE_FILES)];
  const built = await Promise.all(outputs.map((file) => stat(file))).catch(() => undefined);
  const changed = await Promise.all(SOURCES.map(async (file) => (await stat(file)).mtimeMs));
  return !built || Math.max(...changed) > Math.min(...built.map(({ mtimeMs }) => mtimeMs));
}
