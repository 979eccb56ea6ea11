/** `npm run diff`: the changes between two documents, and the version that they require. */
import { readFile } from 'node:fs/promises';
import { CommandLine, runCommand, type Terminal, UserError } from '../contract/src/cli.ts';
import type { Bundle } from '../contract/src/model.ts';
import { compareDocuments } from './diff/document.ts';
import { report } from './diff/report.ts';
import { judge } from './diff/version.ts';

export function diffCommand(terminal?: Terminal): CommandLine {
  const command = new CommandLine('npm run diff --', terminal);
  return command
    .description('List the changes between two versions of the contract, and the version that they require.')
    .argument('<old>', 'Bundled document in JSON, such as that of a release.')
    .argument('<new>', 'Bundled document to compare with it, such as generated/openapi.json.')
    .option('--json', 'Print the changes and the verdict as JSON.')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if the info.version of the new document is lower than the changes require.',
    )
    .handle(async ({ json }: { json?: boolean }, oldFile = '', newFile = '') => {
      const [before, after] = [await readDocument(oldFile), await readDocument(newFile)];
      const changes = compareDocuments(before, after);
      const verdict = judge(before, after, changes);
      const text = json ? JSON.stringify({ changes, verdict }, null, 2) : report(changes, verdict);
      command.terminal.out(`${text}\n`);
      return verdict.enough ? 0 : 1;
    });
}

async function readDocument(file: string): Promise<Bundle> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`Can't read ${file}: ${error.message}`, 2);
  });
  try {
    return JSON.parse(text) as Bundle;
  } catch (error) {
    const reason = (error as Error).message;
    throw new UserError(`${file} is not valid JSON: ${reason}\nGive a bundle, such as generated/openapi.json.`, 2);
  }
}

if (import.meta.main) process.exitCode = await runCommand(diffCommand());
