/** `npm run release`: keeps the contract as it stands as the released document, with which later ones are compared. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, main, parseCommand, UserError } from '../contract/src/cli.ts';
import { changelog, presentContract, RELEASED_FILE, releasedContract } from './diff/inputs.ts';
import { isReleased, refusal } from './diff/release.ts';
import { ROOT } from './tools/process.ts';

const COMMAND: Command = {
  name: 'npm run release --',
  summary: `Writes the contract as it stands to ${RELEASED_FILE}, once version and changelog fit its changes.`,
  options: {
    file: { type: 'string', value: 'FILE', default: RELEASED_FILE, description: 'The released document.' },
    replace: {
      type: 'boolean',
      description: 'Let the released version itself change. Only while nobody has it.',
    },
  },
};

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const name = String(values['file']);
  const file = name === RELEASED_FILE ? join(ROOT, name) : name;
  const [released, present] = [await releasedContract(file), await presentContract()];
  const { version } = present.info;
  if (isReleased(released, present)) {
    console.log(`${name} has version ${version} already.`);
    return 0;
  }
  const reason = refusal(released, present, await changelog(), values['replace'] === true);
  if (reason) throw new UserError(reason);
  await writeFile(file, `${JSON.stringify(present, null, 2)}\n`);
  console.log(`${name} has version ${version} now.`);
  return 0;
});
