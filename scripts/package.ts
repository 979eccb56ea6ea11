/** `npm run package`: builds what a package publishes, into its dist folder. `npm pack` runs it first. */
import { join } from 'node:path';
import { type Command, main, parseCommand, UserError } from '../contract/src/cli.ts';
import { buildGatewayPage } from './reference/gateway-page.ts';
import { ROOT, run } from './tools/process.ts';

/** What has to exist before a package can be built. */
const PREPARATIONS: Readonly<Record<string, () => Promise<void>>> = {
  gateway: buildGatewayPage,
  client: async () => {},
};

const COMMAND: Command = {
  name: 'npm run package --',
  summary: `Builds a package into its dist folder, as npm pack does first: ${Object.keys(PREPARATIONS).join(', ')}.`,
  positionals: ['PACKAGE'],
  options: {},
};

await main(async () => {
  const [name = ''] = parseCommand(COMMAND).positionals;
  const prepare = PREPARATIONS[name];
  if (!prepare) throw new UserError(`'${name}' is none of ${Object.keys(PREPARATIONS).join(', ')}`, 2);
  await prepare();
  await run(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'warn'], {
    cwd: join(ROOT, name),
    live: true,
  });
  return 0;
});
