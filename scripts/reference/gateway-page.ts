/**
 * The reference as served by the gateway: the contract, a chapter about the simulated channels (not with LIVE), and the
 * gateway's own APIs.
 */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BUNDLE_FILE, readBundle } from '../../contract/src/model.ts';
import { DEMO_RECEIVER } from '../../gateway/src/commands/demo.ts';
import { API_FILES } from '../../gateway/src/http/gateway-apis.ts';
import { BUILT_ADDRESS, LIVE_REFERENCE, REFERENCE } from '../../gateway/src/server/reference.ts';
import { listImports } from '../tools/gateway-apis.mjs';
import { timed } from '../tools/progress.mjs';
import type { OwnApi } from './markdown-pages.ts';
import { sandboxChapter } from './sandbox-chapter.ts';
import { buildSite, CHANGELOG_FILE, type SiteOptions } from './site.ts';

/** Server of the pages; a gateway shows its own address. */
const SERVER = { url: BUILT_ADDRESS, description: 'This gateway.' };

type Reference = 'sandbox' | 'live';

const FOLDERS: Readonly<Record<Reference, URL>> = { sandbox: REFERENCE, live: LIVE_REFERENCE };

/** Builds the outdated sites. Each takes about ten seconds. */
export async function buildGatewayPage(wanted: readonly Reference[] = ['sandbox', 'live']): Promise<void> {
  for (const reference of wanted) {
    const folder = fileURLToPath(FOLDERS[reference]).replace(/\/$/, '');
    await exclusively(`${folder}.lock`, async () => {
      if (!(await isStale(reference))) return;
      await timed(`reference, ${reference}`, () => buildSite({ folder, ...toSiteOptions(reference) }));
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
export function toSiteOptions(reference: Reference): SiteOptions {
  const management: OwnApi = {
    name: 'management',
    title: 'Management API',
    document: readBundle(API_FILES.management),
  };
  const sandbox: OwnApi = {
    name: 'sandbox',
    title: 'Sandbox API',
    document: readBundle(API_FILES.sandbox),
    chapter: sandboxChapter(),
  };
  if (reference === 'live') return { server: SERVER, apis: [management] };
  return { server: SERVER, callback: DEMO_RECEIVER, apis: [sandbox, management] };
}

/** Whether the site is missing, or a document, the simulator's tables or the site's own parts have changed since. */
export async function isStale(reference: Reference): Promise<boolean> {
  const built = await stat(new URL('docs/index.html', FOLDERS[reference])).catch(() => undefined);
  if (!built) return true;
  const sources = await siteSources();
  const changed = await Promise.all(sources.map(async (file) => (await stat(file)).mtimeMs));
  return Math.max(...changed) > built.mtimeMs;
}

/** The files that a site is made from. */
export async function siteSources(): Promise<string[]> {
  const folders = ['./', '../artifacts/samples/'].map((path) => new URL(path, import.meta.url));
  const entries = await Promise.all(folders.map((url) => readdir(url, { recursive: true, withFileTypes: true })));
  const parts = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const scripts = parts.filter((file) => /\/vitepress\/.*\.[jt]s$/.test(file));
  const others = [
    ...[BUNDLE_FILE, ...Object.values(API_FILES)],
    new URL('../../gateway/src/channels/scenarios.ts', import.meta.url),
    new URL('../../gateway/src/domain/methods.ts', import.meta.url),
  ];
  return [...new Set([...parts, CHANGELOG_FILE, ...others.map(toPath), ...listImports(scripts)])];
}

function toPath(file: string | URL): string {
  return file instanceof URL ? fileURLToPath(file) : file;
}
