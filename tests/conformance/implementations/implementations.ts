/** Implementations of the contract that this repository has. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import merchants from '../../../conformance/examples/node/merchants.json' with { type: 'json' };
import { LEVELS, type Level } from '../../../conformance/src/core/settings.ts';
import gatewayPackage from '../../../gateway/package.json' with { type: 'json' };
import { startGateway } from '../../../gateway/src/index.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { startServer } from '../../tools/server.ts';
import { temporaryFolder } from '../../tools/temporary.ts';

/** A service that runs. */
export interface Running {
  readonly url: string;
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
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
  /** Empty if it can run here, else the reason. */
  missing(): string;
  start(): Promise<Running>;
}

const EXAMPLES = join(ROOT, 'conformance/examples');
const [first, second] = merchants as [(typeof merchants)[number], (typeof merchants)[number]];

interface Credentials {
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
}

const GIVEN: Credentials = {
  key: 'sk_test_of_the_implementation',
  secondKey: 'sk_test_of_another_merchant',
  secret: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
};

/** An example in `conformance/examples`. It prints its address. */
interface Example extends Pick<Implementation, 'name' | 'levels'> {
  readonly folder: string;
  readonly command: string;
  /** Arguments that exit with 0 where the command is new enough. */
  readonly probe: readonly string[];
  /** The requirement, for people. */
  readonly needs: string;
  /** Arguments that start it. */
  readonly args: readonly string[];
  /** Variables besides the credentials. The folder is empty. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** Defaults to the methods of its environment. */
  readonly credentials?: Credentials;
}

function example(one: Example): Implementation {
  const { name, levels, folder, command, probe, needs, args, env, credentials = GIVEN } = one;
  const cwd = join(EXAMPLES, folder);
  return {
    ...{ name, levels, file: folder, driver: join(cwd, 'driver.js') },
    missing: () => (spawnSync(command, probe).status === 0 ? '' : `${needs} is not on the PATH`),
    async start() {
      const work = await temporaryFolder(folder);
      const { key: API_KEY, secondKey: SECOND_API_KEY, secret: WEBHOOK_SECRET } = credentials;
      const variables = { API_KEY, SECOND_API_KEY, WEBHOOK_SECRET, ...env?.(work) };
      const server = await startServer(args, { node: command, cwd, env: variables });
      return { ...credentials, url: server.url, close: () => server.end('SIGTERM') };
    },
  };
}

export const IMPLEMENTATIONS: readonly Implementation[] = [
  {
    name: `${gatewayPackage.name} ${gatewayPackage.version}`,
    file: 'gateway',
    levels: LEVELS,
    missing: () => '',
    async start() {
      const { url, key, secret, addMerchant, close } = await startGateway();
      return { url, key, secret, secondKey: (await addMerchant()).key, close };
    },
  },
  example({
    name: "the tutorial's service, in Python",
    folder: 'python',
    command: 'python3',
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    needs: 'Python 3.9 or newer',
    args: ['server.py', '0'],
    env: () => ({ PYTHONDONTWRITEBYTECODE: '1' }),
    levels: ['payments-h2h', 'webhooks', 'repeat-safety'],
  }),
  example({
    name: 'Daybook, in JavaScript',
    folder: 'node',
    command: process.execPath,
    probe: ['--version'],
    needs: 'Node',
    args: ['main.js'],
    env: (folder) => ({ PORT: '0', JOURNAL: join(folder, 'journal.jsonl') }),
    credentials: { key: first.key, secondKey: second.key, secret: first.secrets.at(-1) ?? '' },
    levels: LEVELS,
  }),
];
