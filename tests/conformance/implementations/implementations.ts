/** Implementations of the contract that this repository has. */
import { join } from 'node:path';
import merchants from '../../../conformance/examples/node/merchants.json' with { type: 'json' };
import { LEVELS, type Level } from '../../../conformance/src/core/settings.ts';
import gatewayPackage from '../../../gateway/package.json' with { type: 'json' };
import { startGateway } from '../../../gateway/src/index.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { startServer } from '../../tools/server.ts';
import { temporaryFolder } from '../../tools/temporary.ts';
import { PYTHON_MISSING } from '../python.ts';

interface Credentials {
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
}

/** A service that runs. */
export interface Running extends Credentials {
  readonly url: string;
  close(): Promise<unknown>;
}

export interface Implementation {
  /** Name in reports. */
  readonly name: string;
  /** Name of the files about it. */
  readonly file: string;
  readonly levels: readonly Level[];
  /** Path of its driver; the kit has the gateway's. */
  readonly driver?: string;
  /** The reason why it can't run here, if any. */
  readonly missing?: string;
  start(): Promise<Running>;
}

const EXAMPLES = join(ROOT, 'conformance/examples');
const [first, second] = merchants as [(typeof merchants)[number], (typeof merchants)[number]];

/** A server of an example, which prints its address. */
interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts an example in `conformance/examples`. Its work folder is empty. */
async function startExample(folder: string, credentials: Credentials, serve: (work: string) => Server) {
  const { command, args, env } = serve(await temporaryFolder(folder));
  const { key: API_KEY, secondKey: SECOND_API_KEY, secret: WEBHOOK_SECRET } = credentials;
  const variables = { API_KEY, SECOND_API_KEY, WEBHOOK_SECRET, ...env };
  const server = await startServer(args, { node: command, cwd: join(EXAMPLES, folder), env: variables });
  return { ...credentials, url: server.url, close: () => server.end('SIGTERM') };
}

export const IMPLEMENTATIONS: readonly Implementation[] = [
  {
    name: `${gatewayPackage.name} ${gatewayPackage.version}`,
    file: 'gateway',
    levels: LEVELS,
    async start() {
      const { url, key, secret, addMerchant, close } = await startGateway();
      return { url, key, secret, secondKey: (await addMerchant()).key, close };
    },
  },
  {
    name: "the tutorial's service, in Python",
    file: 'python',
    levels: ['payments-h2h', 'webhooks', 'repeat-safety'],
    driver: join(EXAMPLES, 'python/driver.js'),
    missing: PYTHON_MISSING,
    start() {
      const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
      const credentials = { key: 'sk_test_of_the_implementation', secondKey: 'sk_test_of_another_merchant', secret };
      const env = { PYTHONDONTWRITEBYTECODE: '1' };
      return startExample('python', credentials, () => ({ command: 'python3', args: ['server.py', '0'], env }));
    },
  },
  {
    name: 'Daybook, in JavaScript',
    file: 'node',
    levels: LEVELS,
    driver: join(EXAMPLES, 'node/driver.js'),
    start() {
      const credentials = { key: first.key, secondKey: second.key, secret: first.secrets.at(-1) ?? '' };
      return startExample('node', credentials, (work) => ({
        ...{ command: process.execPath, args: ['main.js'] },
        env: { PORT: '0', JOURNAL: join(work, 'journal.jsonl') },
      }));
    },
  },
];
