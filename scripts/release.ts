/** `npm run release`: keeps the current contract as the released document, with which later ones are compared. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand, UserError } from '../contract/src/cli.ts';
import { changelog, presentContract, RELEASED_FILE, releasedContract } from './diff/inputs.ts';
import { isReleased, refusal } from './diff/release.ts';
import { ROOT } from './tools/process.ts';

const command = new CommandLine('npm run release --')
  .description(`Write the contract to ${RELEASED_FILE} if its version and changelog match its changes.`)
  .option('--file <file>', 'The released document.', RELEASED_FILE)
  .option('--replace', 'Replace the document of a version that is already released. Only while nobody uses it.')
  .handle(async ({ file: name, replace = false }: { file: string; replace?: boolean }) => {
    const file = name === RELEASED_FILE ? join(ROOT, name) : name;
    const [released, present] = [await releasedContract(file), await presentContract()];
    const { version } = present.info;
    if (isReleased(released, present)) return `${name} has version ${version} already.`;
    const reason = refusal(released, present, await changelog(), replace);
    if (reason) throw new UserError(reason);
    await writeFile(file, `${JSON.stringify(present, null, 2)}\n`);
    return `${name} has version ${version} now.`;
  });

process.exitCode = await runCommand(command);
