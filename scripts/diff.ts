/** `npm run diff`: what has changed since the last release, and which version that asks for. Needs no git and no network. */
import { join } from 'node:path';
import { type Command, main, parseCommand, UserError } from '../contract/src/cli.ts';
import { compareDocuments } from './diff/document.ts';
import { changelog, presentContract, RELEASED_FILE, releasedContract } from './diff/inputs.ts';
import { report } from './diff/report.ts';
import { judge } from './diff/version.ts';
import { ROOT } from './tools/process.ts';

const COMMAND: Command = {
  name: 'npm run diff --',
  summary: 'Lists what has changed in the contract since the last release, and says which version that asks for.',
  options: {
    base: { type: 'string', value: 'FILE', default: RELEASED_FILE, description: 'Bundled document to compare with.' },
    json: { type: 'boolean', description: 'Print JSON: changes and verdict.' },
  },
  notes: ['Exits with 1 when info.version is lower than the changes ask for.'],
};

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const file = String(values['base']);
  const base = await releasedContract(file === RELEASED_FILE ? join(ROOT, file) : file);
  if (!base) throw new UserError(`There is no ${file} to compare with.\nNext: npm run release writes it`, 2);
  const revision = await presentContract();
  const changes = compareDocuments(base, revision);
  const verdict = judge(base, revision, changes, await changelog());
  console.log(values['json'] ? JSON.stringify({ changes, verdict }, null, 2) : report(changes, verdict));
  return verdict.enough ? 0 : 1;
});
