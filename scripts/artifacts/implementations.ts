/** The table of implementations, from the reports that `npm run implementations` writes. */
import { join } from 'node:path';
import { readReports } from '../../conformance/src/command/table.ts';
import { computeDigest } from '../../conformance/src/document/contract.ts';
import { htmlTable, listBadges, markdownTable } from '../../conformance/src/report/table.ts';
import { ROOT } from '../tools/process.ts';
import type { Artifact } from './artifact.ts';

export const IMPLEMENTATIONS_FOLDER = 'docs/conformance/implementations';

/** `document` is the text of openapi.json, of which each report says whether it is about it. */
export function implementationsArtifacts(document: string): Artifact[] {
  const comparison = readReports(join(ROOT, IMPLEMENTATIONS_FOLDER), computeDigest(document));
  const pages = [
    { file: 'README.md', content: markdownTable(comparison, 'badges') },
    { file: 'index.html', content: htmlTable(comparison) },
    ...listBadges(comparison.reports).map(([name, content]) => ({ file: `badges/${name}`, content })),
  ];
  return pages.map(({ file, content }) => ({ file: `${IMPLEMENTATIONS_FOLDER}/${file}`, content }));
}
