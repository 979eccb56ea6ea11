/** Writes the requested report files. */
import { appendFile } from 'node:fs/promises';
import type { Terminal } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { badge } from '../report/badge.ts';
import { githubAnnotations, githubSummary } from '../report/github.ts';
import { harText } from '../report/har.ts';
import { htmlReport } from '../report/html.ts';
import { junitReport } from '../report/junit.ts';
import type { Report } from '../report/report.ts';
import type { Verification } from '../run/verify.ts';
import type { ReportFiles } from './config.ts';
import { writeText } from './text-files.ts';

const FORMATS: Readonly<Record<keyof ReportFiles, (report: Report, verification: Verification) => string>> = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitReport,
  html: htmlReport,
  badge,
  har: (_report, verification) => harText(verification),
};

export function writeReports(report: Report, verification: Verification, files: ReportFiles): void {
  for (const [format, file] of Object.entries(files) as [keyof ReportFiles, string][]) {
    writeText(file, FORMATS[format](report, verification));
  }
}

/** Prints annotations, and appends the summary to the file that GitHub names. */
export async function announceOnGitHub(report: Report, terminal: Terminal, summary: string | undefined): Promise<void> {
  for (const line of githubAnnotations(report)) terminal.out(`${printable(line)}\n`);
  if (summary) await appendFile(summary, githubSummary(report));
}
