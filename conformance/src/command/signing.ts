/** Keys and signatures of reports: `--sign`, `payments-conformance create-key` and `payments-conformance verify-report`. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Terminal, UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { contractDigest } from '../document/contract.ts';
import type { Report } from '../report/report.ts';
import {
  InvalidSignature,
  type OpenedReport,
  openReport,
  publicKeyId,
  readPublicKey,
  readSigningKey,
} from '../report/signed-report.ts';
import { outcomeSentence } from '../report/words.ts';
import { readText } from './text-files.ts';

/** Exit code for a genuine report of a service that conforms except for known failures. */
const HAS_KNOWN_FAILURES = 4;

/** Only the owner may read it. */
const PRIVATE_MODE = 0o600;
/** Variable with the PEM text of a private key, as CI systems hand over secrets. */
const KEY_VARIABLE = 'SIGNING_KEY';

const MAKE_ONE = 'Make a pair with: payments-conformance create-key';

/** The key to sign with, from the file or the environment; undefined without either. Throws a UserError if it is none. */
export function reportSigningKey(file: string | undefined, env: NodeJS.ProcessEnv): KeyObject | undefined {
  const pem = file === undefined ? env[KEY_VARIABLE] : readText(file);
  if (!pem) return undefined;
  const key = readSigningKey(pem);
  if (key) return key;
  throw new UserError(`${file ?? KEY_VARIABLE}: not an Ed25519 private key in PKCS#8 PEM. ${MAKE_ONE}`, 2);
}

export function signedFile(reportFile: string): string {
  return `${reportFile.replace(/\.json$/, '')}.dsse.json`;
}

/** Writes a pair of keys. Throws a UserError if one of the files exists. */
export function createKey(name: string, terminal: Terminal): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const files = { private: `${name}.pem`, public: `${name}.pub.pem` };
  writeNew(files.private, privateKey.export({ type: 'pkcs8', format: 'pem' }), PRIVATE_MODE);
  writeNew(files.public, publicKey.export({ type: 'spki', format: 'pem' }));
  terminal.out(`${files.private}      Private. Sign with it: --json report.json --sign ${files.private}
  Keep it out of the repository: echo '${files.private}' >> .gitignore
${files.public}  Public. Verify with it: payments-conformance verify-report report.dsse.json --key ${files.public}
key id ${publicKeyId(publicKey)}
`);
  return 0;
}

/** Prints whether a report is genuine, its signer and its outcome. Returns the exit code. */
export function verifyReport(file: string, keyFiles: readonly string[], terminal: Terminal): number {
  const keys = publicKeys(keyFiles);
  const envelope = readText(file);
  try {
    const opened = openReport(envelope, keys);
    terminal.out(`${printOpened(file, opened)}\n`);
    const { exitCode, outcome } = opened.report;
    if (exitCode !== 0) return 1;
    return outcome === 'conforms' ? 0 : HAS_KNOWN_FAILURES;
  } catch (error) {
    if (!(error instanceof InvalidSignature)) throw error;
    terminal.out(`${printable(`${file} is not genuine: ${error.message}.`)}\n`);
    return 1;
  }
}

/** The keys in the files. Throws a UserError if there are none, or one isn't a public key. */
export function publicKeys(files: readonly string[]): KeyObject[] {
  if (files.length === 0) {
    throw new UserError('Missing key. Set --key to the public key of who signed the reports.', 2);
  }
  return files.map((name) => {
    const key = readPublicKey(readText(name));
    if (key) return key;
    throw new UserError(`${name}: not an Ed25519 public key in PEM. ${MAKE_ONE}`, 2);
  });
}

/** Facts to compare with the expected ones. */
function printOpened(file: string, { report, keyId }: OpenedReport): string {
  const { kit, contract, requirements, service, name, driver, startedAt, seed, profile, levels } = report;
  const own = report.contractDigest === contractDigest();
  const rows = [
    ['signed by', keyId],
    ['service', name === undefined ? service : `${name} at ${service}`],
    ['date', startedAt],
    ['kit', `${kit}, driver ${driver}, seed ${seed}`],
    ['contract', `${contract}, ${report.contractDigest}${own ? '' : ', not the one of this kit'}`],
    ['requirements', `${requirements}, profile ${profile}${formatSelection(report)}`],
    ...levels.map(({ level, outcome }) => [level, outcome]),
  ];
  const width = Math.max(...rows.map(([label = '']) => label.length)) + 2;
  const lines = rows.map(([label = '', value]) => `${label.padEnd(width)}${value}`);
  // The signer's text must not pass for lines of this command.
  return [`${file} is genuine.`, ...lines, ...report.failures, `${outcomeSentence(report)}.`]
    .map((line) => printable(line))
    .join('\n');
}

/** The options that left out checks. */
function formatSelection({ selection }: Report): string {
  const parts = Object.entries(selection).map(([option, words]) => `--${option} ${words.join(',')}`);
  return parts.length === 0 ? ', all checks' : `, not all checks: ${parts.join(' ')}`;
}

function writeNew(file: string, text: string | Buffer, mode?: number): void {
  try {
    writeFileSync(file, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const why = exists ? 'it exists. Choose another name, or move it away' : (error as Error).message;
    throw new UserError(`Can't write ${file}: ${why}.`, 2);
  }
}
