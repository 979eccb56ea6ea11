/** `npm run implementations`: runs the kit against each implementation, and keeps a report of it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CommandLine, parseNames, runCommand } from '../../../contract/src/cli.ts';
import { IMPLEMENTATIONS_FOLDER } from '../../../scripts/artifacts/implementations.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { IMPLEMENTATIONS, type Implementation } from './implementations.ts';

const FOLDER = join(ROOT, IMPLEMENTATIONS_FOLDER);
const KIT = join(ROOT, 'conformance/src/bin.ts');
/** Without a reply to a webhook, the gateway retries after up to 20 s. */
const TIMEOUT_MS = 25_000;

const command = new CommandLine('npm run implementations --')
  .description(`Verify the implementations of the contract, and write reports into ${IMPLEMENTATIONS_FOLDER}/.`)
  .option('--only <files>', 'Verify these.', parseNames(IMPLEMENTATIONS.map(({ file }) => file)))
  .addHelpText(
    'after',
    `
Then npm run build makes the table.

Exit codes: 0 each conforms; 1 one doesn't, or can't run here and keeps its earlier report; 2 used incorrectly.`,
  )
  .handle(async ({ only }: { only?: readonly string[] }) => {
    const work = await temporaryFolder('implementations');
    await mkdir(FOLDER, { recursive: true });
    let failed = false;
    for (const one of IMPLEMENTATIONS.filter(({ file }) => only?.includes(file) ?? true)) {
      const outcome = one.missing || (await verify(one, work));
      console.log(`${one.name}: ${outcome}`);
      failed ||= outcome !== 'conforms';
    }
    return failed ? 1 : 0;
  });

process.exitCode = await runCommand(command);

/** Verifies an implementation with the command that its author would use, and keeps the report. */
async function verify({ file, name, levels, driver, start }: Implementation, work: string) {
  const report = join(work, `${file}.json`);
  const { url, key, secondKey, secret, close } = await start();
  const flags = ['--name', name, '--level', levels.join(','), '--timeout', `${TIMEOUT_MS}`, '--json', report];
  const env = { API_KEY: key, SECOND_API_KEY: secondKey, WEBHOOK_SECRET: secret };
  const args = [KIT, url, ...flags, ...(driver ? ['--driver', driver] : [])];
  const { code, stdout, stderr } = await run(process.execPath, args, { env, allowFailure: true }).finally(close);
  if (code !== 0) return `exit code ${code}\n${stdout}${stderr}`;
  await writeFile(join(FOLDER, `${file}.json.gz`), gzipSync(await readFile(report), { level: 9 }));
  return 'conforms';
}
