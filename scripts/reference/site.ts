/** generated/openapi.json → generated/site/: the reference as one page that asks no other host for anything, as Markdown, and for printing. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Bundle, readBundle } from '../../contract/src/model.ts';
import { markdownFolder } from '../../gateway/src/http/site.ts';
import { ROOT } from '../tools/process.ts';
import { redocly } from '../tools/redocly.ts';
import { annotate } from './annotate.ts';
import { withDeclineLinks } from './declines.ts';
import { withErrorTables } from './errors.ts';
import { markdownPages, pageGroups } from './markdown-pages.ts';
import { PRINT_PAGE, printPage } from './print-page.ts';
import { withReceiver } from './receiver.ts';

export const SITE_FILE = join(ROOT, 'generated/site/index.html');

/** The changelog of the contract, which is a chapter of the site. */
export const CHANGELOG_FILE = join(ROOT, 'CHANGELOG.md');

/** The template and what is inlined into it, since the page has to work as a single file. */
const TEMPLATE = new URL('template.hbs', import.meta.url);
const PARTS = ['page.css', 'page.js'];

/** Redoc's settings. They are here and not in redocly.yaml, since only the pages of the site use them. */
const SETTINGS = {
  hideDownloadButtons: true,
  hideSchemaTitles: true,
  jsonSamplesExpandLevel: 'all',
  schemasExpansionLevel: 1,
  sortRequiredPropsFirst: true,
  /** Redoc shows only samples of languages that are listed here; the payload is the example itself. */
  codeSamples: { languages: [{ lang: 'curl' }, { lang: 'TypeScript' }, { lang: 'Python' }, { lang: 'Payload' }] },
};

/** Redoc's badge loads its logo from another host; the template writes the name instead. */
const LOGOS = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[\w-]*\.svg/g;

/** Places of Redoc's code that call functions of page.js. Redoc draws the page at build time too, without page.js. */
const CHANGES = [
  // An entry is added to the search index: one for each chapter instead of one for the introduction.
  {
    place: /(&&\{parameters:\w+\}\};this\.#\w+\.push\()(\w+)\)/g,
    change: '$1...(globalThis.searchEntries?.($2)??[$2]))',
  },
  // The document is given to Redoc.
  { place: /hydrate\(__redoc_definition,/g, change: 'hydrate(globalThis.atOrigin(__redoc_definition),' },
];

/** A chapter that a page has beyond the document's own, after the chapter of this name. */
export interface Chapter {
  after: string;
  markdown: string;
}

export interface SiteOptions {
  /** Path of the page. The Markdown pages go to a folder next to it. */
  file?: string;
  chapters?: Chapter[];
  /**
   * The only server of the page, instead of those of the document. Once a server has sent the page to a browser, the
   * address is that of this server.
   */
  server?: { url: string; description: string };
}

/** The document with the changelog and the chapters that only the site has. */
export async function siteDocument({ chapters = [], server }: SiteOptions = {}): Promise<Bundle> {
  const source = server ? withServer(readBundle(), server) : readBundle();
  const changelog = { after: 'Versions', markdown: await readFile(CHANGELOG_FILE, 'utf8') };
  const description = [changelog, ...chapters].reduce(insertChapter, source.info.description);
  return { ...source, info: { ...source.info, description } };
}

/** Builds the site from the bundle. Throws with Redocly's own words when it cannot. */
export async function buildSite(options: SiteOptions = {}): Promise<void> {
  const { file = SITE_FILE, server } = options;
  const source = await siteDocument(options);
  // The document's link to the reference would lead from the page to itself.
  const { externalDocs: _, ...shown } = source;
  const bundle = annotate(withErrorTables(withReceiver(withDeclineLinks(shown))));
  const style = await readFile(new URL('print.css', import.meta.url), 'utf8');
  const printed = pageGroups(source).flatMap(([, pages]) => pages);
  await writePages(markdownFolder(file), {
    ...markdownPages(source),
    [PRINT_PAGE]: printPage(source, printed, style),
  });
  await buildPage(file, bundle, { server: server?.url, printed: `docs/${PRINT_PAGE}` });
}

export interface PageOptions {
  /** The address of a server that the page names. Once a server has sent the page, it names that one. */
  server?: string | undefined;
  /** Address of the page for printing. */
  printed?: string;
}

/** Builds a page from a document as it is. */
export async function buildPage(file: string, bundle: Bundle, options: PageOptions = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reference-'));
  try {
    const [input, output, template] = ['openapi.json', 'index.html', 'template.hbs'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(input, JSON.stringify(bundle));
    await writeFile(template, await readTemplate(options));
    // The name must be this one, and YAML may be JSON.
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, JSON.stringify({ openapi: SETTINGS }));
    const description = `--templateOptions.metaDescription=${bundle.info['summary']}`;
    await redocly([
      'build-docs',
      input,
      '-o',
      output,
      '-t',
      template,
      '--config',
      config,
      '--inlineBundle',
      description,
    ]);
    const page = adjustRedoc(await readFile(output, 'utf8'));
    await mkdir(dirname(file), { recursive: true });
    await replaceFile(file, page);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The document with one server. The code samples name the first server of the document, and now this one. */
function withServer(bundle: Bundle, server: { url: string; description: string }): Bundle {
  const [first] = annotate(bundle).servers;
  const text = JSON.stringify({ ...bundle, servers: [server] });
  return JSON.parse(first ? text.replaceAll(first.url, server.url) : text);
}

async function readTemplate({ server, printed }: PageOptions): Promise<string> {
  let template = await readFile(TEMPLATE, 'utf8');
  const own = [
    server ? `  <meta name="server" content="${server}">\n` : '',
    printed ? `  <link rel="alternate" media="print" href="${printed}">\n` : '',
  ];
  template = template.replace(/ *<!-- of this page -->\n/, own.join(''));
  const everything = `Without scripts, read <a href="${printed}">the whole reference on one page</a>.`;
  const note = printed ? `  <noscript><p class="without-script">${everything}</p></noscript>\n` : '';
  template = template.replace(/ *<!-- without script -->\n/, note);
  for (const name of PARTS) {
    const content = await readFile(new URL(name, import.meta.url), 'utf8');
    template = template.replace(`/* ${name} */`, () => content);
  }
  return template;
}

/** Throws when a new version of Redoc lacks one of the places. */
function adjustRedoc(page: string): string {
  return CHANGES.reduce(
    (changed, { place, change }) => {
      const found = [...changed.matchAll(place)].length;
      if (found !== 1) throw new Error(`This version of Redoc has ${place} in ${found} places, not in 1. Adjust it.`);
      return changed.replace(place, change);
    },
    withAnchors(page.replace(LOGOS, 'data:,')),
  );
}

/**
 * Until its script runs, Redoc's links lead to paths of the server, such as `/section/webhooks`. The headings have ids, so
 * the links become anchors, which Redoc's router takes as well.
 */
function withAnchors(page: string): string {
  const start = page.indexOf('<div id="redoc"');
  const end = page.indexOf('<script type="module">', start);
  const drawn = page.slice(start, end);
  const anchored = drawn.replace(/href="[/#](section\/[^"]+|[\w-]*)"/g, (link, path: string) => {
    const id = path.toLowerCase();
    if (drawn.includes(` id="${id}"`)) return `href="#${id}"`;
    return link.replace('"/', '"#/');
  });
  return page.slice(0, start) + anchored + page.slice(end);
}

/** Replaces what an earlier build left in the folder. */
async function writePages(folder: string, pages: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stale = (await readdir(folder)).filter((name) => pages[name] === undefined);
  await Promise.all([
    ...Object.entries(pages).map(([name, content]) => replaceFile(join(folder, name), content)),
    ...stale.map((name) => rm(join(folder, name), { force: true })),
  ]);
}

/** Renamed into place, so that nobody who serves the site meanwhile reads half of it. */
async function replaceFile(file: string, content: string): Promise<void> {
  const finished = join(dirname(dirname(file)), `.${basename(file)}.${process.pid}`);
  await writeFile(finished, content);
  await rename(finished, file);
}

function insertChapter(introduction: string, { after, markdown }: Chapter): string {
  const chapters = introduction.split(/^(?=# )/m);
  const index = chapters.findIndex((chapter) => chapter.startsWith(`# ${after}\n`));
  if (index < 0) throw new Error(`openapi/introduction.md has no chapter "${after}"`);
  return chapters.toSpliced(index + 1, 0, `${markdown.trim()}\n\n`).join('');
}
