/** Runs code samples of the contract against the gateway, as a reader would run them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, type Operation, readBundle } from '../../../contract/src/model.ts';
import { adaptPage } from '../../../gateway/src/server/reference.ts';
import { toSiteOptions } from '../../../scripts/reference/gateway-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { type ListeningGateway, listenGateway } from '../../packages/client/gateway.ts';
import { commandExists } from '../../tools/commands.ts';
import { withTransaction } from './example-calls.ts';

interface Language {
  /** The command required by a reader. */
  readonly command: string;
  /** The document lacks the samples, which only the pages have. */
  readonly onlyOnPages?: true;
  readonly argumentsFor: (source: string, folder: string) => Promise<string[]>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  curl: { command: 'curl', argumentsFor: async (source) => ['-c', source] },
  TypeScript: {
    command: process.execPath,
    // Uses this repository's client instead of an installed one.
    argumentsFor: async (source, folder) => {
      const file = join(folder, 'sample.ts');
      const client = pathToFileURL(join(ROOT, 'client/src/index.ts')).href;
      await writeFile(file, source.replace("'payments-client'", `'${client}'`));
      return [file];
    },
  },
  Python: { command: 'python3', argumentsFor: async (source) => ['-c', source] },
  PHP: fromFile('php', 'sample.php'),
  Go: fromFile('go', 'sample.go', 'run'),
  Java: fromFile('java', 'Sample.java'),
  'C#': fromFile('dotnet', 'sample.cs', 'run'),
  Ruby: fromFile('ruby', 'sample.rb'),
};

function fromFile(command: string, name: string, ...before: string[]): Language {
  return {
    command,
    onlyOnPages: true,
    async argumentsFor(source, folder) {
      const file = join(folder, name);
      await writeFile(file, source);
      return [...before, file];
    },
  };
}

/** The document's sample of an operation in a language. */
export function findSample({ paths }: Bundle, { path, method }: Operation, label: string): string {
  return paths[path]?.[method]?.['x-codeSamples']?.find((sample) => sample.label === label)?.source ?? '';
}

/** Variables that a reader has before setting any. */
const EMPTY = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NO_PROXY: '*' };

/**
 * Declares tests for each operation and language: the document's sample after following its introduction, and the demo
 * gateway's sample unchanged. Samples without an installed runtime are skipped, with the reason in the name.
 */
export function describeSamples(all: readonly Operation[]): void {
  const bundle = readBundle();
  const instruction = /```sh\n(export BASE_URL=[\s\S]*?)```/.exec(bundle.info.description)?.[1] ?? '';
  let gateway: ListeningGateway;
  let page: (name: string) => string;
  beforeAll(async () => {
    gateway = await listenGateway();
    const { files } = await siteParts(toSiteOptions('sandbox'));
    page = (name) => adaptPage(files[`${name}.md`] ?? '', gateway.baseUrl, gateway.key);
  }, 60_000);

  describe.each(Object.entries(LANGUAGES))(
    'the sample in %s',
    (label, { command, argumentsFor, onlyOnPages = false }) => {
      const isHere = commandExists(command);
      const condition = isHere ? '' : ` (skipped, since ${command} is not installed)`;
      const run = async (operation: Operation, setting: string, sample: string) => {
        const source = await withTransaction(gateway, operation, sample);
        const [program, args] = [
          label === 'curl' ? 'sh' : command,
          await argumentsFor(source, await temporaryFolder()),
        ];
        const shell = ['-c', `${setting}\nexec "$0" "$@"`, program, ...args];
        const { stdout } = await promisify(execFile)('sh', shell, { env: EMPTY });
        expect(stdout).toMatch(operation.id === 'getBalance' ? /merchant_id/ : /(pay|out)_\w+/);
        expect(stdout).not.toMatch(/problems/);
      };

      it.skipIf(!isHere || onlyOnPages).each(all)(
        `of $id works with what the document says to set${condition}`,
        async (operation) => {
          const setting = instruction
            .replace(/(BASE_URL=).*/, `$1${gateway.baseUrl}`)
            .replace(/(API_KEY=).*/, `$1${gateway.key}`);
          await run(operation, setting, findSample(bundle, operation, label));
        },
      );

      it.skipIf(!isHere).each(all)(
        `of $id works from the demo gateway's page as it is${condition}`,
        async (operation) => {
          const [, sample = ''] = page(operation.id).split(` [${label}]\n`);
          await run(operation, '', sample.slice(0, sample.indexOf('\n```')));
        },
      );
    },
  );
}
