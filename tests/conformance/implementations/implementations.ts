/** Implementations of the contract that this repository has. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { LEVELS, type Level } from '../../../conformance/src/core/settings.ts';
import gatewayPackage from '../../../gateway/package.json' with { type: 'json' };
import { startGateway } from '../../../gateway/src/index.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { startServer } from '../../tools/server.ts';

/** A service that runs. */
export interface Running {
  readonly url: string;
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
  close(): Promise<void>;
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

const CREDENTIALS = {
  key: 'sk_test_of_the_implementation',
  secondKey: 'sk_test_of_another_merchant',
  secret: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
};

/** An example that takes its credentials from the environment, and prints its address. */
interface Example extends Pick<Implementation, 'name' | 'levels'> {
  readonly folder: string;
  readonly command: string;
  /** `PORT` is added. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments that exit with 0 where the command is new enough. */
  readonly probe: readonly string[];
  /** The requirement, for people. */
  readonly needs: string;
}

function example({ folder, command, args, env, probe, needs, ...rest }: Example): Implementation {
  const at = (file: string) => join(EXAMPLES, folder, file);
  return {
    ...rest,
    file: folder,
    driver: at('driver.js'),
    missing: () => (spawnSync(command, probe).status === 0 ? '' : `${needs} is not on the PATH`),
    async start() {
      const { key, secondKey, secret } = CREDENTIALS;
      const server = await startServer([...args, '0'], {
        node: command,
        cwd: join(EXAMPLES, folder),
        env: { API_KEY: key, SECOND_API_KEY: secondKey, WEBHOOK_SECRET: secret, ...env },
      });
      return { ...CREDENTIALS, url: server.url, close: () => server.end('SIGTERM') };
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
    name: "the tutorial's service in Python",
    folder: 'python',
    command: 'python3',
    args: ['server.py'],
    env: { PYTHONDONTWRITEBYTECODE: '1' },
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    needs: 'Python 3.9 or newer',
    levels: ['payments-h2h', 'webhooks', 'repeat-safety'],
  }),
];
