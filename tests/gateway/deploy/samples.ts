/** The samples of docs/operations/deploy, adapted to this machine. */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../harness.ts';

const FOLDER = new URL('../../../docs/operations/deploy/', import.meta.url);

export function readSample(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** Writes a sample to a folder after the replacements, each of which must match, and returns its file. */
export async function placeSample(name: string, replacements: Readonly<Record<string, string>>): Promise<string> {
  let text = readSample(name);
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${name} doesn't have: ${from}`);
    text = text.replaceAll(from, to);
  }
  const file = join(await temporaryFolder(), name);
  await writeFile(file, text);
  return file;
}

/** Creates a self-signed certificate: its key and certificate in separate files, and in a combined one. */
export async function selfSigned(
  name = 'pay.example.com',
): Promise<{ key: string; certificate: string; both: string }> {
  const folder = join(await temporaryFolder(), 'tls');
  await mkdir(folder);
  const [key, certificate, both] = ['key', 'crt', 'pem'].map((ending) => join(folder, `pay.${ending}`)) as [
    string,
    string,
    string,
  ];
  const options = [
    ...['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${name}`],
    ...['-addext', `subjectAltName=DNS:${name}`],
  ];
  await run('openssl', ['req', ...options, '-keyout', key, '-out', certificate]);
  await writeFile(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  return { key, certificate, both };
}
