/** generated/openapi.json → generated/site/: the reference as one page that asks no other host for anything, and as Markdown. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readBundle } from '../../contract/src/model.ts';
import { markdownFolder } from '../../gateway/src/http/site.ts';
import { ROOT } from '../tools/process.ts';
import { redocly } from '../tools/redocly.ts';
import { annotate } from './annotate.ts';
import { withDeclineLinks } from './declines.ts';
import { markdownPages } from './markdown-pages.ts';
import { withReceiver } from './receiver.ts';

export const SITE_FILE = join(ROOT, 'generated/site/index.html');

/** The template and what is inlined into it, since the page has to work as a single file. */
const TEMPLATE = new URL('template.hbs', import.meta.url);
const PARTS = ['page.css', 'page.js'];

/** Redoc's settings. They stand here and not in redocly.yaml, since only this page uses them. */
const SETTINGS = {
  hideDownloadButtons: true,
  hideSchemaTitles: true,
  jsonSamplesExpandLevel: 'all',
  schemasExpansionLevel: 1,
  sortRequiredPropsFirst: true,
  /** Redoc shows only samples of languages that stand here; the payload is the example itself. */
  codeSamples: { languages: [{ lang: 'curl' }, { lang: 'TypeScript' }, { lang: 'Python' }, { lang: 'Payload' }] },
};

/** Redoc's badge loads its logo from another host; the template writes the name instead. */
const LOGOS = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[\w-]*\.svg/g;

/**
 * Where Redoc adds an entry to its search index. page.js replaces the entry of the introduction by one for each chapter;
 * while Redoc draws the page on the server, there is no such function.
 */
const INDEXING = /(&&\{parameters:\w+\}\};this\.#\w+\.push\()(\w+)\)/g;

/** A chapter that a page has beyond the document's own, after the chapter of this name. */
export interface Chapter {
  after: string;
  markdown: string;
}

/** Builds the site from the bundle. Throws with Redocly's own words when it cannot. */
export async function buildSite({ file = SITE_FILE, chapters = [] as Chapter[] } = {}): Promise<void> {
  const source = readBundle();
  for (const chapter of chapters) source.info.description = insertChapter(source.info.description, chapter);
  const bundle = annotate(withReceiver(withDeclineLinks(source)));
  await writePages(markdownFolder(file), markdownPages(source));
  const folder = await mkdtemp(join(tmpdir(), 'reference-'));
  try {
    const [input, output, template] = ['openapi.json', 'index.html', 'template.hbs'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(input, JSON.stringify(bundle));
    await writeFile(template, await readTemplate());
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

async function readTemplate(): Promise<string> {
  let template = await readFile(TEMPLATE, 'utf8');
  for (const name of PARTS) {
    const content = await readFile(new URL(name, import.meta.url), 'utf8');
    template = template.replace(`/* ${name} */`, () => content);
  }
  return template;
}

/** Changes to Redoc's own code. Throws when a new version of Redoc has none of the places. */
function adjustRedoc(page: string): string {
  const places = [...page.matchAll(INDEXING)].length;
  if (places !== 1) {
    throw new Error(
      `Redoc's search index is made in ${places} places, not in 1. Adjust INDEXING to this version of Redoc.`,
    );
  }
  return page.replace(LOGOS, 'data:,').replace(INDEXING, '$1...(globalThis.searchEntries?.($2)??[$2]))');
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
