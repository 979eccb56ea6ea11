/** Runs code samples of the contract against the gateway, as a reader would run them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, type Operation, readBundle } from '../../../contract/src/model.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { type ListeningGateway, listenGateway } from '../../packages/client/gateway.ts';
import { commandExists } from '../../tools/commands.ts';
import { withTransaction } from './example-calls.ts';

interface Language {
  /** The command that a reader needs. */
  readonly command: string;
  readonly argumentsFor: (source: string, folder: string) => Promise<string[]>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  curl: { command: 'curl', argumentsFor: async (source) => ['-c', source] },
  TypeScript: {
    command: process.execPath,
    // The client is this repository's here; a reader installs it.
    argumentsFor: async (source, folder) => {
      const file = join(folder, 'sample.ts');
      const client = pathToFileURL(join(ROOT, 'client/src/index.ts')).href;
      await writeFile(file, source.replace("'payments-client'", `'${client}'`));
      return [file];
    },
  },
  Python: { command: 'python3', argumentsFor: async (source) => ['-c', source] },
};

/** The sample of an operation in a language, as the document has it. */
export function sampleOf({ paths }: Bundle, { path, method }: Operation, label: string): string {
  return paths[path]?.[method]?.['x-codeSamples']?.find((sample) => sample.label === label)?.source ?? '';
}

/** Declares a test for each operation and language. One whose command is not installed is skipped, and its name says why. */
export function describeSamples(all: readonly Operation[]): void {
  const bundle = readBundle();
  let gateway: ListeningGateway;
  beforeAll(async () => {
    gateway = await listenGateway();
  });

  describe.each(Object.entries(LANGUAGES))('the sample in %s', (label, { command, argumentsFor }) => {
    const isHere = commandExists(command);
    const condition = isHere ? '' : ` (skipped, since ${command} is not installed)`;

    it.skipIf(!isHere).each(all)(`of $id does what it says${condition}`, async (operation) => {
      const source = await withTransaction(gateway, operation, sampleOf(bundle, operation, label));
      const env = { ...process.env, BASE_URL: gateway.baseUrl, API_KEY: gateway.key, NO_PROXY: '*' };
      const program = label === 'curl' ? 'sh' : command;
      const { stdout } = await promisify(execFile)(program, await argumentsFor(source, await temporaryFolder()), {
        env,
      });
      expect(stdout).toMatch(operation.id === 'getBalance' ? /merchant_id/ : /(pay|out)_\w+/);
      expect(stdout).not.toMatch(/problems/);
    });
  });
}
