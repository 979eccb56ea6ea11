/** `npm run diff`: what has changed since the last release, and which version that asks for. Needs no git and no network. */
import { join } from 'node:path';
import { CommandLine, runCommand, type Terminal, UserError } from '../contract/src/cli.ts';
import { compareDocuments } from './diff/document.ts';
import { changelog, presentContract, RELEASED_FILE, releasedContract } from './diff/inputs.ts';
import { report } from './diff/report.ts';
import { judge } from './diff/version.ts';
import { ROOT } from './tools/process.ts';

export function diffCommand(terminal?: Terminal): CommandLine {
  const command = new CommandLine('npm run diff --', terminal);
  return command
    .description(
      'List what has changed in the contract since the last release, and the version that the changes require.',
    )
    .option('--base <file>', 'Bundled document to compare with.', RELEASED_FILE)
    .option('--json', 'Print the changes and the verdict as JSON.')
    .addHelpText('after', '\nThe exit code is 1 if info.version is lower than the changes require.')
    .handle(async ({ base: file, json }: { base: string; json?: boolean }) => {
      const base = await releasedContract(file === RELEASED_FILE ? join(ROOT, file) : file);
      if (!base) throw new UserError(`Released contract not found: ${file}.\nNext: npm run release`, 2);
      const revision = await presentContract();
      const changes = compareDocuments(base, revision);
      const verdict = judge(base, revision, changes, await changelog());
      const text = json ? JSON.stringify({ changes, verdict }, null, 2) : report(changes, verdict);
      command.terminal.out(`${text}\n`);
      return verdict.enough ? 0 : 1;
    });
}

if (import.meta.main) process.exitCode = await runCommand(diffCommand());
