/** Signed reports, with the facts to compare and without secrets. */
import { createPrivateKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { contractDigest } from '../../conformance/src/document/contract.ts';
import { createExchangeMask, createMask } from '../../conformance/src/report/mask.ts';
import { signReport } from '../../conformance/src/report/signed-report.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import { clearVariables, runKit, startBroken } from './kit.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const verified = (file: string, key = 'key.pub.pem') => runKit('verify-report', at(file), '--key', at(key));

beforeAll(clearVariables);
beforeAll(async () => {
  folder = await temporaryFolder('signed-reports');
  await runKit('create-key', at('key'));
  await runKit('create-key', at('other'));
  const { url, key, close } = await startGateway();
  const args = ['--json', at('report.json'), '--sign', at('key.pem'), '--name', 'our gateway', '--seed', '7'];
  await runKit(url, '--key', key, '--only', 'replay/getBalance', ...args);
  await close();
});

/** Writes the signed report with changes. */
async function changed(name: string, change: (envelope: Record<string, unknown>) => object): Promise<string> {
  const envelope = JSON.parse(await readFile(at('report.dsse.json'), 'utf8'));
  await writeFile(at(name), JSON.stringify(change(envelope)));
  return name;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const decodePayload = (envelope: Record<string, unknown>) =>
  Buffer.from(String(envelope['payload']), 'base64').toString();

describe('a signed report', () => {
  it('is genuine, and names its signer, service and outcome', async () => {
    const { code, stdout } = await verified('report.dsse.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('is genuine.\n') });
    expect(stdout).toMatch(/signed by +sha256:[0-9a-f]{64}\n/);
    expect(stdout).toMatch(/service +our gateway at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stdout).toMatch(/kit +1\.0\.0, driver gateway, seed 7\n/);
    expect(stdout).toContain(`${contractDigest()}\n`);
    expect(stdout).toContain('profile document, not all checks: --only replay/getBalance\n');
    expect(stdout).toMatch(/payouts +not shown\n/);
    expect(stdout).toMatch(/ conforms\.\n$/);
  });

  it('has the bytes of the JSON report, with the clauses of its findings', async () => {
    const envelope = JSON.parse(await readFile(at('report.dsse.json'), 'utf8'));
    const text = await readFile(at('report.json'), 'utf8');
    expect(decodePayload(envelope)).toBe(text);
    expect(JSON.parse(text)).toMatchObject({
      ...{ name: 'our gateway', seed: 7, walks: 8, selection: { only: ['replay/getBalance'] } },
      ...{ kit: '1.0.0', contractDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), profile: 'document' },
    });
  });

  it('is signed over the encoding of DSSE, so that other tools can verify it', async () => {
    const envelope = JSON.parse(await readFile(at('report.dsse.json'), 'utf8'));
    const text = decodePayload(envelope);
    const type = envelope.payloadType;
    const signed = Buffer.from(`DSSEv1 ${type.length} ${type} ${Buffer.byteLength(text)} ${text}`);
    const signature = Buffer.from(envelope.signatures[0].sig, 'base64');
    expect(verify(null, signed, readFileSync(at('key.pub.pem')), signature)).toBe(true);
  });

  it.each<[string, (envelope: Record<string, unknown>) => object]>([
    ['one byte', (one) => ({ ...one, payload: base64(decodePayload(one).replace('"seed": 7', '"seed": 8')) })],
    ['the type', (one) => ({ ...one, payloadType: 'application/json' })],
    ['the bytes of the signature', (one) => ({ ...one, signatures: [{ sig: base64('x'.repeat(64)) }] })],
    ['its signatures to none', (one) => ({ ...one, signatures: [] })],
    ['the encoding', (one) => ({ ...one, payload: `${String(one['payload']).slice(0, -4)}-_==` })],
    ['the envelope to the report itself', (one) => JSON.parse(decodePayload(one))],
  ])('is not genuine after a change of %s', async (what, change) => {
    const { code, stdout } = await verified(await changed(`changed ${what}.json`, change));
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('is not genuine: ') });
  });

  it('is genuine with any keyid, which is not signed', async () => {
    const rename = ({ signatures, ...rest }: Record<string, unknown>) => ({
      ...rest,
      signatures: (signatures as { sig: string }[]).map(({ sig }) => ({ sig, keyid: 'sha256:of-another' })),
    });
    const { code, stdout } = await verified(await changed('renamed.json', rename));
    expect(code).toBe(0);
    expect(stdout).not.toContain('of-another');
  });

  it('is not genuine for the key of someone else, but is if the right key is among several', async () => {
    expect((await verified('report.dsse.json', 'other.pub.pem')).code).toBe(1);
    const keys = `${at('other.pub.pem')},${at('key.pub.pem')}`;
    expect((await runKit('verify-report', at('report.dsse.json'), '--key', keys)).code).toBe(0);
  });

  it('is refused if the key signed another type of content', async () => {
    const text = '{"format":1}';
    const key = readFileSync(at('key.pem'));
    const write = (name: string, type: string, signedAs: string) => {
      const signature = sign(null, Buffer.from(`DSSEv1 ${signedAs.length} ${signedAs} ${text.length} ${text}`), key);
      const signatures = [{ sig: signature.toString('base64') }];
      return writeFile(at(name), JSON.stringify({ payloadType: type, payload: base64(text), signatures }));
    };
    const { payloadType } = JSON.parse(await readFile(at('report.dsse.json'), 'utf8'));
    await write('other-type.json', payloadType, 'text/plain');
    await write('other-format.json', payloadType, payloadType);
    expect((await verified('other-type.json')).stdout).toContain('no signature is that of a given key');
    expect((await verified('other-format.json')).stdout).toContain('not a report of format 2');
  });

  it.each<[string, () => string | Buffer]>([
    [
      'a type that moves the cursor',
      () =>
        JSON.stringify({
          payloadType: '\u001b[2K\u001b[1Gx is genuine.\n',
          payload: 'eA==',
          signatures: [{ sig: 'eA==' }],
        }),
    ],
    [
      'a payload of 8 MB',
      () => JSON.stringify({ payloadType: 'x', payload: 'AAAA'.repeat(2_000_000), signatures: [{ sig: 'eA==' }] }),
    ],
    ['a list in place of the envelope', () => '[null]'],
    ['deeply nested JSON', () => '['.repeat(100_000)],
  ])('is refused in a line without control characters if it has %s', async (_what, text) => {
    await writeFile(at('hostile.json'), text());
    const { code, stdout } = await verified('hostile.json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^[ -~]+ is not genuine: [ -~]+\n$/) });
  });

  it('is not genuine if it lacks members of a report', async () => {
    const report = JSON.parse(await readFile(at('report.json'), 'utf8'));
    const key = createPrivateKey(readFileSync(at('key.pem')));
    for (const changes of [{ levels: null }, { checks: [{}] }, { failures: [7] }, { selection: { only: 'x' } }]) {
      await writeFile(at('wrong.dsse.json'), signReport(JSON.stringify({ ...report, ...changes }), key));
      expect((await verified('wrong.dsse.json')).stdout).toContain('not a report of format 2');
    }
  });

  it('names known failures, and exits with 4', async () => {
    const report = JSON.parse(await readFile(at('report.json'), 'utf8'));
    const changes = { outcome: 'conforms except for known failures', knownFailures: 2 };
    const key = createPrivateKey(readFileSync(at('key.pem')));
    await writeFile(at('known.dsse.json'), signReport(JSON.stringify({ ...report, ...changes }), key));
    const { code, stdout } = await verified('known.dsse.json');
    expect({ code, stdout }).toEqual({
      ...{ code: 4, stdout: expect.stringMatching(/ conforms except for 2 known failures\.\n$/) },
    });
  });

  it('is genuine for a service that does not conform, and exits with 1', async () => {
    const { code } = await runKit('http://127.0.0.1:9/', '--json', at('x.json'), '--sign', at('key.pem'));
    expect(code).toBe(1);
    const { url, close } = await startBroken();
    vi.stubEnv('SIGNING_KEY', readFileSync(at('key.pem'), 'utf8'));
    await runKit(url, '--driver', 'gateway', '--only', 'replay/getBalance', '--json', at('bad.json'));
    vi.stubEnv('SIGNING_KEY', undefined);
    await close();
    const opened = await verified('bad.dsse.json');
    expect(opened.code).toBe(1);
    expect(opened.stdout).toMatch(/is genuine\.\n[\s\S]* doesn't conform\.\n$/);
  });
});

describe('keys', () => {
  it('come with the line for .gitignore that keeps the private one out of the repository', async () => {
    const { stdout } = await runKit('create-key', at('third'));
    expect(stdout).toContain(`echo '${at('third.pem')}' >> .gitignore`);
  });

  it('are a pair of which only the owner can read the private one, and never overwrite another', async () => {
    expect(statSync(at('key.pem')).mode & 0o777).toBe(0o600);
    expect(readFileSync(at('key.pem'), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    const { code, stderr } = await runKit('create-key', at('key'));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('it exists') });
  });

  it.each([
    ['a key of another kind', ['--json', 'x.json', '--sign', 'rsa.pem'], 'not an Ed25519 private key'],
    ['the public key', ['--json', 'x.json', '--sign', 'key.pub.pem'], 'not an Ed25519 private key'],
    ['no file', ['--json', 'x.json', '--sign', 'nowhere.pem'], "Can't read"],
    ['no report to sign', ['--sign', 'key.pem'], '--json report.json'],
  ])('are refused before a run: %s', async (_what, args, message) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(at('rsa.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const paths = args.map((word) => (word.startsWith('--') ? word : at(word)));
    const { code, stderr } = await runKit('http://127.0.0.1:9', ...paths);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('are needed to verify', async () => {
    expect((await runKit('verify-report', at('report.dsse.json'))).code).toBe(2);
    expect((await verified('report.dsse.json', 'report.json')).code).toBe(2);
    expect((await verified('nowhere.json')).code).toBe(2);
  });
});

describe('secrets', () => {
  const secrets = {
    key: 'sk_test_key+of/merchant_8Qw3Zr',
    secondKey: 'sk_test_second_key_7Xc4Np',
    secret: 'whsec_c2VjcmV0/W9mLXRoZS1y+dW4=',
    header: 'proxy-password/5Lk9Vb2',
  };

  it('are in no report of a service that returns all that it receives', async () => {
    const { url, close } = await listenOnLoopback(
      createServer((request, response) => {
        const all = JSON.stringify([request.headers, secrets]);
        const body = { status: all, [secrets.key]: 1, all, url: encodeURIComponent(all) };
        // With lengths around that at which reports cut values off.
        for (let length = 60; length < 130; length += 1)
          body[`cut${length}`] = `${'x'.repeat(length)}${secrets.secret}`;
        const long = `${'y'.repeat(1_700)}${JSON.stringify(body)}`;
        response.writeHead(200, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(all) });
        // As PHP writes it.
        response.end(JSON.stringify({ ...body, long }).replaceAll('/', '\\/'));
      }),
    );
    const keys = ['--key', secrets.key, '--second-key', secrets.secondKey, '--secret', secrets.secret];
    const formats = ['json', 'junit', 'sarif', 'html', 'badge', 'har'].flatMap((name) => [
      `--${name}`,
      at(`secrets/${name}`),
    ]);
    const selection = [
      '--driver',
      'gateway',
      '--only',
      'replay,isolation,response',
      '--header',
      `X-Pass: ${secrets.header}`,
    ];
    const { stdout, stderr } = await runKit(url, ...keys, ...formats, ...selection, '--sign', at('key.pem'));
    await close();
    const files = (await readdir(at('secrets'))).map((name): [string, string] => [
      name,
      readFileSync(at(`secrets/${name}`), 'utf8'),
    ]);
    const payload = decodePayload(JSON.parse(readFileSync(at('secrets/json.dsse.json'), 'utf8')));
    const texts = Object.entries({ ...Object.fromEntries(files), stdout, stderr, payload });
    expect(texts.length).toBe(10);
    expect(payload).toContain('$WEBHOOK_SECRET');
    const parts = Object.values(secrets).flatMap((secret) => [secret.slice(0, 15), secret.slice(-10)]);
    const forms = parts.flatMap((part) => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)]);
    const leaks = texts.flatMap(([name, text]) =>
      forms.filter((form) => text.includes(form)).map((form) => [name, form]),
    );
    expect(leaks).toEqual([]);
  });

  it('masks keys that a driver creates during a run', () => {
    const mask = createExchangeMask(
      { call: { key: 'sk_test_created' } as never },
      createMask({ key: 'sk_test_given' }),
    );
    expect(mask('sk_test_given sk_test_created')).toBe('$API_KEY $OTHER_API_KEY');
  });
});
