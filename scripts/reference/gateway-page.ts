/**
 * The reference as the gateway serves it: the contract with a chapter on what its simulated channels do, and a second page
 * with the sandbox's own operations.
 */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FILE, readBundle } from '../../contract/src/model.ts';
import { sandboxChapter } from '../../gateway/src/channel/chapter.ts';
import { DEFAULTS } from '../../gateway/src/config/settings.ts';
import { SANDBOX_FILE } from '../../gateway/src/contract/sandbox-document.ts';
import { MARKDOWN_FOLDER, REFERENCE_FILE, SANDBOX_PAGE_FILE } from '../../gateway/src/http/reference.ts';
import { timed } from '../tools/progress.ts';
import { INDEX } from './markdown-pages.ts';
import { buildPage, buildSite } from './site.ts';

/** The pages are made from the documents, from the simulator's tables, and from its own parts. */
const SOURCES = [
  BUNDLE_FILE,
  SANDBOX_FILE,
  ...['template.hbs', 'page.css', 'page.js', 'print.css'].map((name) => new URL(name, import.meta.url)),
  new URL('../../gateway/src/channel/chapter.ts', import.meta.url),
  new URL('../../gateway/src/channel/scenarios.ts', import.meta.url),
  new URL('../../gateway/src/domain/methods.ts', import.meta.url),
];

/** What the page shows when it is opened from a disk; a gateway shows its own address. */
const SERVER = { url: `http://127.0.0.1:${DEFAULTS.port}`, description: 'This gateway.' };

/** Builds the pages if a source is newer; that takes about two seconds. */
export async function buildGatewayPage(): Promise<void> {
  if (!(await isStale())) return;
  const chapters = [{ after: 'Decline reasons', markdown: sandboxChapter() }];
  await timed('reference', async () => {
    await buildSite({ file: fileURLToPath(REFERENCE_FILE), chapters, server: SERVER });
    const sandbox = readBundle(SANDBOX_FILE);
    await buildPage(fileURLToPath(SANDBOX_PAGE_FILE), sandbox, { server: sandbox.servers[0]?.url });
  });
}

async function isStale(): Promise<boolean> {
  const outputs = [REFERENCE_FILE, SANDBOX_PAGE_FILE, new URL(INDEX, MARKDOWN_FOLDER)];
  const built = await Promise.all(outputs.map((file) => stat(file))).catch(() => undefined);
  const changed = await Promise.all(SOURCES.map(async (file) => (await stat(file)).mtimeMs));
  return !built || Math.max(...changed) > Math.min(...built.map(({ mtimeMs }) => mtimeMs));
}
