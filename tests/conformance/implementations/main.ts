/** `npm run implementations`: runs the kit against each implementation, and keeps a signed report of it. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publicKeys, reportSigningKey, signedFile } from '../../../conformance/src/command/signing.ts';
import { readFolder } from '../../../conformance/src/command/table.ts';
import { publicKeyId } from '../../../conformance/src/report/signed-report.ts';
import { CommandLine, parseNames, runCommand } from '../../../contract/src/cli.ts';
import { IMPLEMENTATIONS_FOLDER, PUBLIC_KEY } from '../../../scripts/artifacts/implementations.ts';
import { ROOT, run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { IMPLEMENTATIONS, type Implementation } from './implementations.ts';

const FOLDER = join(ROOT, IMPLEMENTATIONS_FOLDER);
const KIT = join(ROOT, 'conformance/src/bin.ts');
/** Without a reply to a webhook, the gateway retries after up to 20 s. */
const TIMEOUT_MS = 25_000;
const KEY_NAME_LENGTH = 12;

const command = new CommandLine('npm run implementations --')
  .description(`Verify the implementations of the contract, and write signed reports into ${IMPLEMENTATIONS_FOLDER}/.`)
  .option('--only <files>', 'Verify these.', parseNames(IMPLEMENTATIONS.map(({ file }) => file)))
  .addHelpText(
    'after',
    `
SIGNING_KEY is a private key in PEM; without it, a new one signs and is forgotten. Then npm run build makes the table.

Exit codes: 0 each conforms; 1 one doesn't, or can't run here and keeps its earlier report; 2 used incorrectly.`,
  )
  .handle(async ({ only }: { only?: readonly string[] }) => {
    const key = reportSigningKey(undefined, process.env) ?? generateKeyPairSync('ed25519').privateKey;
    const work = await temporaryFolder('implementations');
    await mkdir(FOLDER, { recursive: true });
    let failed = false;
    for (const one of IMPLEMENTATIONS.filter(({ file }) => only?.includes(file) ?? true)) {
      const outcome = one.missing() || (await verify(one, key, work));
      console.log(`${one.name}: ${outcome}`);
      failed ||= outcome !== 'conforms';
    }
    await keepKeys(createPublicKey(key));
    return failed ? 1 : 0;
  });

process.exitCode = await runCommand(command);

/** Verifies an implementation with the command that its author would use, and keeps the signed report. */
async function verify({ file, name, levels, driver, start }: Implementation, key: KeyObject, work: string) {
  const report = join(work, `${file}.json`);
  const { url, key: apiKey, secondKey, secret, close } = await start();
  const flags = ['--name', name, '--level', levels.join(','), '--timeout', `${TIMEOUT_MS}`, '--json', report];
  const env = {
    ...{ API_KEY: apiKey, SECOND_API_KEY: secondKey, WEBHOOK_SECRET: secret },
    SIGNING_KEY: `${key.export({ type: 'pkcs8', format: 'pem' })}`,
  };
  const args = [KIT, url, ...flags, ...(driver ? ['--driver', driver] : [])];
  const { code, stdout, stderr } = await run(process.execPath, args, { env, allowFailure: true }).finally(close);
  if (code !== 0) return `exit code ${code}\n${stdout}${stderr}`;
  const signed = await readFile(signedFile(report));
  await writeFile(join(FOLDER, `${file}.dsse.json.gz`), gzipSync(signed, { level: 9 }));
  return 'conforms';
}

/** Adds the public key, and deletes keys without a report. */
async function keepKeys(added: KeyObject): Promise<void> {
  const toFile = (id: string) => join(FOLDER, `${id.slice('sha256:'.length).slice(0, KEY_NAME_LENGTH)}.pub.pem`);
  await writeFile(toFile(publicKeyId(added)), added.export({ type: 'spki', format: 'pem' }));
  const files = (await readdir(FOLDER)).filter((name) => PUBLIC_KEY.test(name)).map((name) => join(FOLDER, name));
  const { signed } = readFolder(FOLDER, publicKeys(files));
  const used = new Set(signed.map(({ keyId }) => toFile(keyId)));
  await Promise.all(files.filter((file) => !used.has(file)).map((file) => rm(file)));
}
