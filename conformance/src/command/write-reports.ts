/** Writes the requested report files. */
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Terminal } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { badge } from '../report/badge.ts';
import { githubAnnotations, githubSummary } from '../report/github.ts';
import { harText } from '../report/har.ts';
import { htmlReport } from '../report/html.ts';
import { junitReport } from '../report/junit.ts';
import type { Report } from '../report/report.ts';
import { sarifReport } from '../report/sarif.ts';
import type { Verification } from '../run/verify.ts';
import { CONFIG_FILES, type ReportFiles } from './config.ts';
import { writeText } from './text-files.ts';

const FORMATS: Readonly<
  Record<keyof ReportFiles, (report: Report, verification: Verification, alerts: string) => string>
> = {
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitReport,
  sarif: (report, _verification, alerts) => sarifReport(report, alerts),
  html: htmlReport,
  badge,
  har: (_report, verification) => harText(verification),
};

/** Writes the reports. `alerts` is the file at which code scanning shows the findings. */
export function writeReports(report: Report, verification: Verification, files: ReportFiles, alerts: string): void {
  for (const [format, file] of Object.entries(files) as [keyof ReportFiles, string][]) {
    writeText(file, FORMATS[format](report, verification, alerts));
  }
}

/** Prints annotations, and appends the summary to the file that GitHub names. */
export async function announceOnGitHub(report: Report, terminal: Terminal, summary: string | undefined): Promise<void> {
  for (const line of githubAnnotations(report)) terminal.out(`${printable(line)}\n`);
  if (summary) await appendFile(summary, githubSummary(report));
}

/** GitHub's name of the running workflow: `owner/name/.github/workflows/ci.yml@refs/heads/main`. */
const WORKFLOW = /^[^/]+\/[^/]+\/(?<file>[^@]+)@/;

/** A path from the root of the repository: of the config file, or of the workflow that runs the kit, or of package.json. */
export function alertFile(config: string | undefined, env: NodeJS.ProcessEnv, folder = process.cwd()): string {
  const root = env['GITHUB_WORKSPACE'] ?? folder;
  const workflow = WORKFLOW.exec(env['GITHUB_WORKFLOW_REF'] ?? '')?.groups?.['file'];
  const configs = config === undefined ? CONFIG_FILES : [config];
  const found = configs
    .filter((name) => existsSync(resolve(folder, name)))
    .map((name) => relative(root, resolve(folder, name)).replaceAll('\\', '/'))
    .find((path) => !path.startsWith('..') && !isAbsolute(path));
  return found ?? workflow ?? 'package.json';
}
