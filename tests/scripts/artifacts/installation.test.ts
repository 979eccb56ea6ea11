/** Installation texts, before and after the packages are published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expandInstallation, installationArtifacts, PACKAGES } from '../../../scripts/artifacts/installation.ts';
import { repositoryFiles } from '../../../scripts/tools/files.ts';
import { ROOT } from '../../../scripts/tools/process.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const TEMPLATES = ['openapi/introduction.md', 'scripts/reference/SKILL.md'];

describe('before the packages are published', () => {
  const sections = new Map(installationArtifacts(false).map(({ file, content }) => [file, content]));
  /** Files for readers before the publication, with expanded templates. */
  const files = repositoryFiles()
    .filter(
      (file) => /\.(md|yaml|yml|ts|js|mjs|json)$/.test(file) && !/^(tests|generated)\/|\/installation\.ts$/.test(file),
    )
    .map((file) => {
      const text = sections.get(file) ?? read(file);
      return { file, text: TEMPLATES.includes(file) ? expandInstallation(text, false) : text };
    });

  it('no file downloads a package by its name', () => {
    const download =
      /(?:npm (?:i|install|add|exec|create)|npx (?:-y|--yes)|(?:pnpm|yarn) (?:add|dlx)|bun add|deno add|npm:|esm\.sh\/|unpkg\.com\/)\s*["']?payments-(?:client|conformance|contract|gateway)\b/;
    expect(files.filter(({ text }) => download.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('each document installs a package before it runs its command by npx', () => {
    const early = files
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap(({ file, text }) =>
        PACKAGES.filter((name) => {
          const run = text.indexOf(`npx payments-${name}`);
          const installs = new RegExp(`<!-- begin install [a-z ]*\\b${name}\\b|\\[Install the kit\\]`);
          return run >= 0 && !installs.test(text.slice(0, run));
        }).map((name) => `${file}: ${name}`),
      );
    expect(early).toEqual([]);
  });
});
