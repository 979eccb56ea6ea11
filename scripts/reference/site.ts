/**
 * generated/openapi.json → generated/site/: the reference as a static site that asks no other host for anything, as Markdown,
 * and for printing (docs/decisions/0018-reference-by-vitepress.md).
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';
import { type Bundle, operations, readBundle } from '../../contract/src/model.ts';
import { baseUrl } from '../artifacts/samples/call.ts';
import { buildSandboxFiles } from '../sandbox-files.ts';
import { ROOT, run } from '../tools/process.ts';
import { START } from './addresses.ts';
import { type Allowed, withContentPolicy } from './content-policy.ts';
import { downloadFiles } from './downloads.ts';
import { changelogFeed, FEED } from './feed.ts';
import { hostedFiles } from './hosted.ts';
import {
  createReference,
  INDEX,
  isLive,
  MANAGEMENT,
  markdownPages,
  type OwnApi,
  type Reference,
} from './markdown-pages.ts';
import { furtherRequests } from './operation-pages.ts';
import type { Group, Page } from './page.ts';
import { PRINT_PAGE, printPage } from './print-page.ts';
import { SKILL_FILE, skillText } from './skill.ts';
import { createPanels, panelFiles } from './try-it.ts';
import { placeWalkthroughs, walkthroughFiles } from './walkthroughs.ts';

/** The folder with a site for each kind of reader. */
export const SITES = join(ROOT, 'generated/site');

/** The site of the contract. */
export const SITE = join(SITES, 'contract');

/** The changelog of the contract, which is a chapter of the site. */
export const CHANGELOG_FILE = join(ROOT, 'CHANGELOG.md');

const VITEPRESS = fileURLToPath(new URL('vitepress/', import.meta.url));

/** The megabytes for young objects. With V8's default, a fifth of a build is spent on moving them. */
const ROOMY = ['--max-semi-space-size=64'];

/** A chapter that a site has beyond the document's own, after the chapter of this name. */
export interface Chapter {
  after: string;
  markdown: string;
}

export interface SiteOptions {
  /** The site's folder. */
  folder?: string;
  chapters?: Chapter[];
  /** Further APIs of the server. */
  apis?: OwnApi[];
  /** Replaces the document's servers. A site served by a gateway uses that gateway's address. */
  server?: { url: string; description: string };
  /** A path on that server that takes webhooks. */
  callback?: string;
}

/** For the settings of VitePress. */
export interface SiteData {
  title: string;
  description: string;
  sidebar: DefaultTheme.SidebarMulti;
  /** The panels for requests, by the names of the pages. */
  panels: Record<string, { operation: string; section: number }>;
  /** The walkthroughs that can be played, by the names of the pages, in their order there. */
  walkthroughs: Record<string, string[]>;
  /** The Markdown of the requests after each operation's first, by their titles. */
  samples: Record<string, Record<string, string>>;
  /** The gateway that shows the pages, to which requests go, and a path on it that takes webhooks, if it has one. */
  gateway?: { callback?: string };
}

/** The document with the changelog and the chapters that only the site has. */
export async function siteDocument({ chapters = [], server }: SiteOptions = {}): Promise<Bundle> {
  const source = server ? withServer(readBundle(), server) : readBundle();
  const changelog = { after: 'Versions', markdown: await readFile(CHANGELOG_FILE, 'utf8') };
  const description = [changelog, ...chapters].reduce(insertChapter, source.info.description);
  return { ...source, info: { ...source.info, description } };
}

/** All that a site is made from. */
export interface SiteParts {
  document: Bundle;
  reference: Reference;
  /** The Markdown pages and their drawings, by the names of their files. */
  files: Record<string, string>;
}

/** Makes the pages of a site from its document. */
export async function siteParts(options: SiteOptions = {}): Promise<SiteParts> {
  const document = await siteDocument(options);
  const reference = createReference(document, options.apis);
  return { document, reference, files: markdownPages(document, reference) };
}

/** Builds a site. Throws with VitePress's own words when it cannot. */
export async function buildSite(options: SiteOptions = {}): Promise<void> {
  const { folder = SITE } = options;
  const { document, reference, files } = await siteParts(options);
  const live = isLive(options.apis);
  const work = `${folder}.${process.pid}`;
  const [pages, output] = [join(work, 'pages'), join(work, 'output/docs')];
  try {
    const data: SiteData = {
      title: document.info.title,
      description: String(document.info['summary']),
      sidebar: createMenus(reference.groups),
      panels: createPanels(document),
      samples: furtherSamples(document),
      walkthroughs: live ? {} : placeWalkthroughs(),
      ...(options.server && { gateway: options.callback ? { callback: options.callback } : {} }),
    };
    await writeFiles(pages, {
      ...files,
      'site.json': JSON.stringify(data),
      ...stubs(pages),
    });
    await run(
      process.execPath,
      [...ROOMY, join(ROOT, 'node_modules/vitepress/bin/vitepress.js'), 'build', pages, '--outDir', output],
      {
        env: { REFERENCE_PAGES: pages, NODE_ENV: 'production' },
      },
    );
    const style = await readFile(new URL('print.css', import.meta.url), 'utf8');
    await writeFiles(output, {
      ...files,
      ...panelFiles(document, live),
      ...downloadFiles(readBundle()),
      ...(await guides(document)),
      [PRINT_PAGE]: printPage(document, reference, style),
    });
    if (!options.server) {
      await writeFiles(join(work, 'output'), hostedFiles(readBundle(), files[INDEX] ?? ''));
    }
    if (!live) {
      await writeFiles(output, walkthroughFiles(document));
      await buildSandboxFiles(join(output, 'sandbox'));
    }
    await addPolicies(join(work, 'output'), { services: !options.server, sandbox: !live });
    await replaceFolder(folder, join(work, 'output'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function addPolicies(folder: string, allowed: Allowed): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    const file = join(folder, name);
    await writeFile(file, withContentPolicy(await readFile(file, 'utf8'), allowed));
  }
}

/** The menus by the beginning of the pages' addresses: the operators' API is a separate book, with its own search. */
function createMenus(groups: readonly Group[]): DefaultTheme.SidebarMulti {
  const isBook = ({ pages }: Group) => pages.some(({ name }) => name === MANAGEMENT);
  const toItems = (some: readonly Group[]) =>
    some.map(({ title, pages }) => ({ text: title, items: pages.map((page) => menuItem(page, title)) }));
  const book = groups.filter(isBook);
  const main = toItems(groups.filter((group) => !isBook(group)));
  if (book.length === 0) return { '/': main };
  const [{ title = '' } = {}] = book;
  return {
    // VitePress takes the first address that fits.
    [`/${MANAGEMENT}`]: [{ text: 'Back to the API', link: '/' }, ...toItems(book)],
    '/': [...main, { text: 'For operators', items: [{ text: title, link: `/${MANAGEMENT}` }] }],
  };
}

function menuItem({ name, title, method }: Page, group: string): DefaultTheme.SidebarItem {
  if (name === START) return { text: 'Overview', link: '/' };
  const text = title === group ? 'Overview' : title.replace(`${group}: `, '');
  const badge = method && ` <span class="method ${method.toLowerCase()}">${method}</span>`;
  return { link: `/${name}`, text: `${text}${badge ?? ''}`, docFooterText: title };
}

/** The guide for coding agents with its front matter, and the feed of the changelog. */
async function guides(document: Bundle): Promise<Record<string, string>> {
  const changelog = await readFile(CHANGELOG_FILE, 'utf8');
  const { title } = document.info;
  const feed = changelogFeed(changelog, title, document.externalDocs?.url ?? baseUrl(document));
  return { [SKILL_FILE]: skillText(), [FEED]: JSON.stringify(feed, null, 2) };
}

function furtherSamples(document: Bundle): SiteData['samples'] {
  const all = operations(document).map((operation) => [operation.id, furtherRequests(document, operation)] as const);
  return Object.fromEntries(all.filter(([, requests]) => Object.keys(requests).length > 0));
}

/** VitePress looks for its settings and theme next to the pages. */
function stubs(pages: string): Record<string, string> {
  const from = (folder: string, name: string) =>
    `export { default } from ${JSON.stringify(relative(join(pages, folder), join(VITEPRESS, name)))};\n`;
  return {
    '.vitepress/config.ts': from('.vitepress', 'config.ts'),
    '.vitepress/theme/index.ts': from('.vitepress/theme', 'theme.js'),
  };
}

/** The document with one server. The code samples name the first server of the document, and now this one. */
function withServer(bundle: Bundle, server: { url: string; description: string }): Bundle {
  const [first] = bundle.servers;
  const url = first?.url.replace(
    /\{(\w+)\}/g,
    (name, variable: string) => first.variables?.[variable]?.default ?? name,
  );
  const text = JSON.stringify({ ...bundle, servers: [server] });
  return JSON.parse(url ? text.replaceAll(url, server.url) : text);
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Renamed into place, so that a concurrent reader never sees a partial site. May race with another build. */
async function replaceFolder(folder: string, finished: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    await rename(folder, `${finished}.old-${attempt}`).catch(unless('ENOENT'));
    const isDone = await rename(finished, folder).then(() => true, unless('ENOTEMPTY', 'EEXIST'));
    if (isDone || attempt === 9) return;
  }
}

function unless(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}

function insertChapter(introduction: string, { after, markdown }: Chapter): string {
  const chapters = introduction.split(/^(?=# )/m);
  const index = chapters.findIndex((chapter) => chapter.startsWith(`# ${after}\n`));
  if (index < 0) throw new Error(`openapi/introduction.md has no chapter "${after}"`);
  return chapters.toSpliced(index + 1, 0, `${markdown.trim()}\n\n`).join('');
}
