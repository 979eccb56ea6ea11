/** VitePress configuration for a folder of Markdown pages. The folder's site.json has its individual settings. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMarkdownRenderer, type DefaultTheme, defineConfigWithTheme } from 'vitepress';
import { slug } from '../addresses.ts';
import { FEED } from '../feed.ts';
import type { SiteData } from '../site.ts';
import {
  addBreaks,
  addDrawings,
  addFields,
  addLanguages,
  addMarks,
  addPanels,
  addPlayers,
  addSamples,
  addTableBoxes,
  addTabs,
  isOperation,
} from './markdown.ts';

const folder = process.env['REFERENCE_PAGES'] ?? '';
const data = JSON.parse(readFileSync(`${folder}/site.json`, 'utf8')) as SiteData;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231f5fd0'/%3E%3Cpath d='M3 6h8M9 3.5 11.5 6 9 8.5M13 10H5M7 7.5 4.5 10 7 12.5' fill='none' stroke='%23fff' stroke-width='1.5'/%3E%3C/svg%3E";

/** Without scripts, the phone menu can't open, so it is placed below the page, and script-only controls are hidden. */
const WITHOUT_SCRIPT = `
.VPLocalNav,.VPNavBarSearch,.VPNavBarAppearance,.menu-tools,.try-it,.play-it,.example-picker,button.copy{display:none!important}
@media(max-width:959px){.Layout .VPSidebar{order:1;position:static;transform:none;opacity:1;visibility:visible;width:auto;max-width:none}}
`;

/** A page for the search: without code and drawings, and the title of an operation or webhook with its name. */
function forSearch(source: string, path: string): string {
  const text = source
    .replace(/^## Samples$[\s\S]*?^(?=## )/m, '')
    .replace(/^```[\s\S]*?^```$|^!\[.*\]\(.*\.svg\)$/gm, '');
  return isOperation(path) ? text.replace(/^# .*$/m, (title) => `${title} (${path.replace('.md', '')})`) : text;
}

export default defineConfigWithTheme<DefaultTheme.Config & Pick<SiteData, 'gateway'>>({
  lang: 'en',
  title: data.title,
  description: data.description,
  base: '/docs/',
  // Works on any static file server, even if it doesn't try `.html`.
  cleanUrls: false,
  metaChunk: true,
  // A reader who looks something up opens few pages.
  router: { prefetchLinks: false },
  srcDir: folder,
  // Samples are there instead.
  transformPageData: ({ relativePath, frontmatter }) => {
    if (isOperation(relativePath)) return { frontmatter: { ...frontmatter, aside: false, pageClass: 'operation' } };
    // The sections of each operation have the same titles.
    return /^(management|sandbox)-/.test(relativePath) ? { frontmatter: { ...frontmatter, outline: 2 } } : {};
  },
  // Each example's tabs as HTML, with the colors of the pages.
  async buildEnd({ srcDir, outDir, markdown, site }) {
    const renderer = await createMarkdownRenderer(srcDir, markdown, site.base);
    mkdirSync(join(outDir, 'samples'), { recursive: true });
    for (const [operation, requests] of Object.entries(data.samples)) {
      const rendered = Object.entries(requests).map(([title, text]) => [title, renderer.render(text, {})]);
      writeFileSync(join(outDir, 'samples', `${operation}.json`), JSON.stringify(Object.fromEntries(rendered)));
    }
  },
  head: [
    ['link', { rel: 'icon', href: ICON }],
    ['link', { rel: 'alternate', type: 'application/feed+json', href: `/docs/${FEED}`, title: 'Changelog' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['noscript', {}, `<style>${WITHOUT_SCRIPT}</style>`],
  ],
  vite: {
    // The esbuild of this Vite doesn't know the target of tsconfig.json.
    esbuild: { tsconfigRaw: { compilerOptions: { target: 'ES2022' } } },
    // The pages for the server are run once and thrown away, so that to make them smaller takes longer than it saves.
    plugins: [
      {
        name: 'whole-server-pages',
        config: (_config, { isSsrBuild }) => (isSsrBuild ? { build: { rollupOptions: { treeshake: false } } } : {}),
      },
    ],
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slug },
    config(markdown) {
      addMarks(markdown);
      addLanguages(markdown);
      addTabs(markdown);
      addFields(markdown);
      addTableBoxes(markdown);
      addBreaks(markdown);
      addDrawings(markdown);
      // Before the samples get a box.
      addPanels(markdown, data.panels);
      addSamples(markdown, data.samples);
      addPlayers(markdown, data.walkthroughs);
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Shows an excerpt of each hit.
        detailedView: true,
        _render: (source, env, markdown) => markdown.render(forSearch(source, String(env.relativePath)), env),
      },
    },
    sidebar: data.sidebar,
    ...(data.gateway && { gateway: data.gateway }),
    outline: { level: [2, 3] },
    externalLinkIcon: true,
  },
});
