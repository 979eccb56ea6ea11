/** Lints small documents with the real plugin and rule settings, in one run of Redocly. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../../scripts/tools/process.ts';
import { redocly } from '../../../scripts/tools/redocly.ts';

/** A rule's message, and its location. */
export interface Finding {
  rule: string;
  message: string;
  pointer: string;
}

interface Report {
  problems: { ruleId: string; message: string; location: { source: { ref: string }; pointer?: string }[] }[];
}

interface Settings {
  extends: string[];
  apis: { payments: { root: string; rules: Record<string, unknown> } };
}

/** Names of the rules that redocly.yaml enables for the contract. */
export const RULES = Object.keys((await settings()).apis.payments.rules);

/** Lints each document. Returns the findings in the same order. */
export async function lintDocuments(documents: unknown[]): Promise<Finding[][]> {
  return inFolder(async (folder) => {
    const roots = documents.map((_, index) => `document-${index}.json`);
    await Promise.all(roots.map((root, index) => writeFile(join(folder, root), JSON.stringify(documents[index]))));
    const reports = await lintFiles(folder, roots);
    return roots.map((root) => reports.filter(({ file }) => file === root).map(({ finding }) => finding));
  });
}

/** Lints files of a folder with the contract's settings. */
export async function lintFiles(folder: string, roots: string[]): Promise<{ file: string; finding: Finding }[]> {
  const { extends: presets, apis } = await settings();
  const { rules } = apis.payments;
  const config = {
    extends: presets,
    plugins: [join(ROOT, 'openapi/lint/plugin.ts')],
    apis: Object.fromEntries(roots.map((root, index) => [`api-${index}`, { root, rules }])),
  };
  await writeFile(join(folder, 'redocly.yaml'), JSON.stringify(config));
  const { stdout, stderr } = await redocly(['lint', '--format=json', '--max-problems=1000'], {
    cwd: folder,
    allowFailure: true,
  });
  return parseReports(stdout, stderr).flatMap(({ problems }) =>
    problems.map(({ ruleId, message, location: [at] }) => ({
      file: at?.source.ref ?? '',
      finding: { rule: ruleId, message, pointer: at?.pointer ?? '' },
    })),
  );
}

/** Runs an action with a temporary folder and removes the folder afterwards. */
export async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'));
  try {
    return await action(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function settings(): Promise<Settings> {
  return parse(await readFile(join(ROOT, 'redocly.yaml'), 'utf8')) as Settings;
}

/** Redocly prints one JSON document per API. */
function parseReports(stdout: string, stderr: string): Report[] {
  if (!stdout.startsWith('{')) throw new Error(`Redocly printed no report:\n${stdout}${stderr}`);
  return stdout
    .trim()
    .split(/(?<=^\})(?=\{$)/m)
    .map((text) => JSON.parse(text) as Report);
}
