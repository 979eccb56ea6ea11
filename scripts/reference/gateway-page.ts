/**
 * The reference as the gateway serves it: the contract with a chapter on what its simulated channels do, which is left out
 * with LIVE, and the pages of the gateway's own APIs.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FILE, readBundle } from '../../contract/src/model.ts';
import { DEMO_RECEIVER } from '../../gateway/src/commands/demo-receiver.ts';
import { BUILT_ADDRESS, LIVE_REFERENCE, REFERENCE } from '../../gateway/src/node/reference.ts';
import { API_FILES } from '../../gateway/src/wire/gateway-apis.ts';
import { timed } from '../tools/progress.ts';
import type { OwnApi } from './markdown-pages.ts';
import { sandboxChapter } from './sandbox-chapter.ts';
import { buildSite, CHANGELOG_FILE, type SiteOptions } from './site.ts';

/** Server of the pages; a gateway shows its own address. */
const SERVER = { url: BUILT_ADDRESS, description: 'This gateway.' };

type Reference = 'sandbox' | 'live';

const FOLDERS: Readonly<Record<Reference, URL>> = { sandbox: REFERENCE, live: LIVE_REFERENCE };

/** Builds the sites that are older than a source; each takes about ten seconds. */
export async function buildGatewayPage(wanted: readonly Reference[] = ['sandbox', 'live']): Promise<void> {
  for (const reference of wanted) {
    const folder = fileURLToPath(FOLDERS[reference]).replace(/\/$/, '');
    await exclusively(`${folder}.lock`, async () => {
      if (!(await isStale(reference))) return;
      await timed(`reference, ${reference}`, () => buildSite({ folder, ...optionsOf(reference) }));
    });
  }
}

/** Only one process at a time builds a site; others wait, and find it built. The lock of a dead process doesn't count. */
async function exclusively(lock: string, action: () => Promise<void>): Promise<void> {
  await mkdir(dirname(lock), { recursive: true });
  const take = () => writeFile(lock, String(process.pid), { flag: 'wx' }).then(() => true);
  while (!(await take().catch(() => false))) {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) await rm(lock, { force: true });
    await setTimeout(250);
  }
  try {
    await action();
  } finally {
    await rm(lock, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Settings of a gateway's site. */
export function optionsOf(reference: Reference): SiteOptions {
  const admin: OwnApi = { name: 'admin', title: 'Operators’ API', document: readBundle(API_FILES.admin) };
  const sandbox: OwnApi = {
    name: 'sandbox',
    title: 'Sandbox API',
    document: readBundle(API_FILES.sandbox),
    chapter: sandboxChapter(),
  };
  if (reference === 'live') return { server: SERVER, apis: [admin] };
  return { server: SERVER, callback: DEMO_RECEIVER, apis: [sandbox, admin] };
}

/** Whether the site is missing, or a document, the simulator's tables or the site's own parts have changed since. */
export async function isStale(reference: Reference): Promise<boolean> {
  const built = await stat(new URL('docs/index.html', FOLDERS[reference])).catch(() => undefined);
  if (!built) return true;
  const own = fileURLToPath(new URL('./', import.meta.url));
  const parts = await readdir(own, { recursive: true, withFileTypes: true });
  const sources = [
    BUNDLE_FILE,
    ...Object.values(API_FILES),
    ...parts.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
    CHANGELOG_FILE,
    new URL('../../gateway/src/channel/scenarios.ts', import.meta.url),
    new URL('../../gateway/src/domain/methods.ts', import.meta.url),
  ];
  const changed = await Promise.all(sources.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...changed) > built.mtimeMs;
}
