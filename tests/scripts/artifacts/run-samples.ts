/** Runs code samples of the contract against the gateway, as a reader would run them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Bundle,
  type JsonObject,
  type Operation,
  readBundle,
  requestExamples as requestsOf,
} from '../../../contract/src/model.ts';
import { randomIds } from '../../../gateway/src/platform/ids.ts';
import { adaptPage } from '../../../gateway/src/server/reference.ts';
import { requestExamples } from '../../../generated/examples.ts';
import { awaitedCalls } from '../../../generated/statuses.ts';
import { toSiteOptions } from '../../../scripts/reference/gateway-page.ts';
import { siteParts } from '../../../scripts/reference/site.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { temporaryFolder } from '../../gateway/harness.ts';
import { sendTaken } from '../../load/client.ts';
import { type ListeningGateway, listenGateway } from '../../packages/client/gateway.ts';
import { installed } from '../../tools/installed.ts';
import { until } from '../../tools/wait.ts';

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
 * Declares a test for each operation and language. It runs the document's sample after following its introduction, or the
 * sample of the demo gateway's page if the document has none. Samples without an installed runtime are skipped, with the reason in the name.
 */
export function describeSamples(all: readonly Operation[]): void {
  const bundle = readBundle();
  const [, instruction = ''] = /```sh\n(export BASE_URL=[\s\S]*?)```/.exec(bundle.info.description) ?? [];
  let gateway: ListeningGateway;
  let setting: string;
  let page: (name: string) => string;
  beforeAll(async () => {
    gateway = await listenGateway();
    setting = instruction.replace(/(BASE_URL=).*/, `$1${gateway.baseUrl}`).replace(/(API_KEY=).*/, `$1${gateway.key}`);
    const { files } = await siteParts(toSiteOptions('sandbox'));
    page = (name) => adaptPage(files[`${name}.md`] ?? '', gateway.baseUrl, gateway.key);
  });

  describe.each(Object.entries(LANGUAGES))(
    'the sample in %s',
    (label, { command, argumentsFor, onlyOnPages = false }) => {
      const isHere = installed(command) !== undefined;
      const condition = isHere ? '' : ` (skipped, since ${command} is not installed)`;
      const run = async (operation: Operation, variables: string, sample: string) => {
        const source = await withTransaction(gateway, operation, sample);
        const program = label === 'curl' ? 'sh' : command;
        const args = await argumentsFor(source, await temporaryFolder());
        const shell = ['-c', `${variables}\nexec "$0" "$@"`, program, ...args];
        const { stdout } = await promisify(execFile)('sh', shell, { env: EMPTY });
        expect(stdout).toMatch(operation.id === 'getBalance' ? /merchant_id/ : /(pay|out)_\w+/);
        expect(stdout).not.toMatch(/problems/);
      };

      it.skipIf(!isHere).each(all)(`of $id works${condition}`, async (operation) => {
        if (!onlyOnPages) return run(operation, setting, findSample(bundle, operation, label));
        const [, sample = ''] = page(operation.id).split(` [${label}]\n`);
        await run(operation, '', sample.slice(0, sample.indexOf('\n```')));
      });
    },
  );
}

const TIMEOUT_MS = 60_000;

/** The sandbox's customer whose payments ask for the name. */
const ASKED_FOR_NAME = { id: 'clarify-name' };

/** Replaces the id of a transaction or order in a call's text with the id of a new transaction. */
async function withTransaction(gateway: ListeningGateway, operation: Operation, text: string): Promise<string> {
  const [example] = requestsOf(operation);
  const given = { ...example?.path, ...example?.query };
  const member = Object.keys(given).find((name) => /^(transaction|payout|merchant_order)_id$/.test(name));
  if (member === undefined) return text;
  const { transaction_id: id, merchant_order_id: orderId } = await createTransaction(gateway, operation);
  return text.replaceAll(String(given[member]), String(member === 'merchant_order_id' ? orderId : id));
}

async function createTransaction(gateway: ListeningGateway, { id: operationId, path }: Operation): Promise<JsonObject> {
  const isPayout = path.startsWith('/payouts');
  const base = isPayout ? requestExamples.createPayout['imps-inr'].body : requestExamples.createPayment['h2h-upi'].body;
  const customer = operationId === 'clarifyPayment' ? ASKED_FOR_NAME : base.customer;
  const body = { ...base, customer: { ...base.customer, ...customer }, merchant_order_id: randomIds.text(16) };
  const caller = { url: gateway.baseUrl, key: gateway.key };
  const created = await sendTaken<JsonObject>(caller, 'POST', isPayout ? '/payouts' : '/payments', body);
  const id = String(created['transaction_id']);
  const waits = Object.entries(awaitedCalls).find(([, awaited]) => awaited === operationId);
  if (waits) {
    const [status] = waits;
    const read = () => sendTaken<JsonObject>(caller, 'GET', `/payments/${id}`);
    const isWaiting = async () => (await read())['status'] === status;
    if ((await until(isWaiting, TIMEOUT_MS)) === undefined) throw new Error(`${id} does not become ${status}`);
  }
  return created;
}
