/** The table of roles in docs/operations/daily-work.md: the operations of the management API that each role adds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../../contract/src/markdown.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { deriveDocument } from '../../gateway/src/http/gateway-apis.ts';
import { ROOT } from '../tools/process.ts';
import type { Artifact } from './artifact.ts';

const FILE = 'docs/operations/daily-work.md';
const SECTION = /(<!-- begin roles -->\n)[\s\S]*?(<!-- end roles -->)/;

export function rolesArtifact(bundle: Bundle): Artifact {
  const { operations, access } = deriveDocument(bundle);
  const roles = (bundle.components.schemas['Role']?.enum ?? []) as string[];
  const rows = roles.map((role) => {
    const summaries = operations.filter(({ id }) => access.get(id)?.role === role).map(({ summary }) => summary);
    return [`\`${role}\``, summaries.join(', ')];
  });
  const section = table(['Role', 'Operations that it adds'], rows);
  const content = readFileSync(join(ROOT, FILE), 'utf8').replace(SECTION, `$1${section}\n$2`);
  return { file: FILE, content };
}
