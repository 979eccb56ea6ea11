import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig, loadDriver } from '../../conformance/src/command/config.ts';
import { toOptions } from '../../conformance/src/command/flags.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { temporaryFolder, writeFiles } from '../tools/temporary.ts';

async function createFolder(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder('conformance-config');
  await writeFiles(folder, files);
  return folder;
}

describe('the config file', () => {
  it.each([
    ['payments-conformance.config.ts', 'const seed: number = 7;\nexport default { seed };'],
    ['payments-conformance.config.mjs', '\uFEFFexport default { seed: 7 };'],
    ['payments-conformance.config.json', '\uFEFF{ "seed": 7 }'],
  ])('is found as %s', async (name, text) => {
    expect(await loadConfig(undefined, await createFolder({ [name]: text }))).toEqual({ seed: 7 });
  });

  it('names driver and known failures by paths from its own folder', async () => {
    const folder = await createFolder({ 'ci/kit.json': '{ "driver": "./driver.mjs", "knownFailures": "known.json" }' });
    expect(await loadConfig('ci/kit.json', folder)).toEqual({
      driver: join(folder, 'ci/driver.mjs'),
      knownFailures: join(folder, 'ci/known.json'),
    });
  });

  it.each([
    ['an unknown setting', '{ "levels": [] }', "'levels' is unknown"],
    ['a wrong type', '{ "walks": "8" }', "'walks' must be an integer"],
    ['an unknown level', '{ "capabilities": { "levels": ["cards"] } }', "'capabilities' must be an object with levels"],
    ['no JSON', '{', 'is not JSON'],
  ])('is refused with %s', async (_what, text, message) => {
    const folder = await createFolder({ 'payments-conformance.config.json': text });
    await expect(loadConfig(undefined, folder)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });
});

it('options come from flags, then the environment, then the config file', () => {
  const config = {
    ...{ key: 'config', secret: 'config', seed: 1, headers: { a: '1' }, webhook: { host: '::1', port: 1 } },
    capabilities: { levels: ['payouts'] },
  } as const;
  const flags = { key: 'flag', header: { b: '2' }, webhookPort: 2 };
  const env = { API_KEY: 'environment', WEBHOOK_SECRET: 'environment' };
  expect(toOptions(flags, 'http://flag', { ...config, baseUrl: 'http://config' }, env)).toEqual({
    ...{ baseUrl: 'http://flag', key: 'flag', secret: 'environment', seed: 1, levels: ['payouts'] },
    ...{ headers: { a: '1', b: '2' }, webhook: { host: '::1', port: 2 } },
  });
  expect(toOptions({ level: ['webhooks'] }, undefined, config, {}).levels).toEqual(['webhooks']);
});

describe('a driver of your own', () => {
  it('is refused with the names of missing members', async () => {
    const folder = await createFolder({ 'driver.mjs': "export default { name: 'mine', payment() {} };" });
    await expect(loadDriver('./driver.mjs', folder)).rejects.toThrow('Missing: payout, items.');
  });

  it('says how to load a module that npm takes for CommonJS', async () => {
    const driver = "export default { name: 'mine', payment() {}, payout() {}, items: () => ({}) };";
    // npm init writes the second.
    const folder = await createFolder({ 'driver.js': driver, 'package.json': '{"type":"commonjs"}' });
    // Vitest would load it either way.
    const command = [join(ROOT, 'conformance/src/main.ts'), '--list', '--driver', './driver.js'];
    const { code, stderr } = await run(process.execPath, command, { cwd: folder, allowFailure: true });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('npm pkg set type=module') });
  });
});
