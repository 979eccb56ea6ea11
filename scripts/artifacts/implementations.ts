/** The table of implementations, from the signed reports that `npm run implementations` writes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeys } from '../../conformance/src/command/signing.ts';
import { readFolder } from '../../conformance/src/command/table.ts';
import { computeDigest } from '../../conformance/src/document/contract.ts';
import { buildTable, htmlTable, listBadges, markdownTable } from '../../conformance/src/report/table.ts';
import { ROOT } from '../tools/process.ts';
import type { Artifact } from './artifact.ts';

export const IMPLEMENTATIONS_FOLDER = 'docs/conformance/implementations';
export const PUBLIC_KEY = /\.pub\.pem$/;

/** `document` is the text of openapi.json, of which each report says whether it is about it. */
export function implementationsArtifacts(document: string): Artifact[] {
  const folder = join(ROOT, IMPLEMENTATIONS_FOLDER);
  const keys = readdirSync(folder).filter((name) => PUBLIC_KEY.test(name));
  const { signed, refused } = readFolder(folder, publicKeys(keys.map((name) => join(folder, name))));
  const table = buildTable(signed, refused, computeDigest(document));
  const pages = [
    { file: 'README.md', content: markdownTable(table, 'badges') },
    { file: 'index.html', content: htmlTable(table) },
    { file: 'table.json', content: `${JSON.stringify(table, null, 2)}\n` },
    ...listBadges(signed).map(([name, content]) => ({ file: `badges/${name}`, content })),
  ];
  return pages.map(({ file, content }) => ({ file: `${IMPLEMENTATIONS_FOLDER}/${file}`, content }));
}
