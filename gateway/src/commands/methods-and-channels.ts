/** The methods and channels of the command: from the config file, or simulated. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../../contract/src/cli.ts';
import { type GatewayDefinition, requireDefinition, UnusableDefinition } from '../channels/definition.ts';
import type { GatewayConfig } from '../config/settings.ts';
import { type MethodsAndChannels, resolveMethodsAndChannels } from '../server.ts';

const EXAMPLE = `  // gateway.config.ts
  import { contractMethods, defineGateway, withChannel } from 'payments-gateway';
  import { bank } from './bank.ts'; // your channel
  export default defineGateway({ methods: withChannel(contractMethods, 'bank'), channels: [bank] });`;

const NO_DEFAULT = 'has no default export. End it with: export default defineGateway({ channels: [bank] });';

/** Next steps for files that Node can't load, by the code of its error. */
const REFUSALS: Readonly<Record<string, string>> = {
  ERR_UNKNOWN_FILE_EXTENSION: `Node ${process.versions.node} can't run it. Use a .js or .mjs file, or for a .ts file Node 22.18 or newer.`,
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING:
    'Node runs no .ts file below node_modules. Copy the file out of it, or compile it.',
};

/** The package's name leads to its build, which a clone lacks. The commands of the clone lead it to the source instead. */
const NOT_BUILT = /gateway[\\/]dist[\\/][\w-]+\.js' imported from/;

/** Loads the config file, if there is one. Throws a UserError with the fix before any other work. */
export async function readMethodsAndChannels({
  config: configFile,
  live,
  channelSecrets,
}: GatewayConfig): Promise<MethodsAndChannels> {
  if (configFile && channelSecrets.length > 0) {
    const message = 'CHANNEL_SECRETS and CONFIG are both set, but only simulated channels take their secret from';
    throw new UserError(`${message} CHANNEL_SECRETS. Remove CHANNEL_SECRETS.`, 2);
  }
  try {
    const definition = configFile ? await readDefinition(configFile) : {};
    return resolveMethodsAndChannels({ ...definition, channelSecrets: new Map(channelSecrets), keyPolicy: { live } });
  } catch (error) {
    if (!(error instanceof UnusableDefinition)) throw error;
    const problems = error.problems.map((problem) => `- ${problem}`).join('\n');
    const file = configFile || 'gateway.config.ts';
    const wrong = configFile
      ? `${file} can't be used${live ? ' with LIVE' : ''}:`
      : 'LIVE is set, but no channel moves money:';
    const next = configFile
      ? `Correct ${configFile}, such as:`
      : `Define them in a file, and run: payments-gateway start --config ${file}`;
    throw new UserError(`${wrong}\n${problems}\n${next}\n${EXAMPLE}`, 2);
  }
}

/** The default export of the file. Node itself loads it, TypeScript included. */
async function readDefinition(file: string): Promise<GatewayDefinition> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UserError(`Config file not found: ${file}. Correct CONFIG or --config.`, 2);
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UserError(`Can't load ${file}: ${explain(error as NodeJS.ErrnoException, file)}`, 2);
  }
  const { default: definition } = loaded;
  if (definition === undefined) throw new UserError(`${file} ${NO_DEFAULT}`, 2);
  requireDefinition(definition);
  return definition;
}

/** A syntax error has its place only in the stack, before the first frame. */
function explain({ code = '', message, name, stack = '' }: NodeJS.ErrnoException, file: string): string {
  const refusal = REFUSALS[code];
  if (refusal) return refusal;
  if (NOT_BUILT.test(message)) return `payments-gateway isn't built. Run: npm run gateway -- start --config ${file}`;
  return name === 'SyntaxError' ? (stack.split(/^ {4}at /m)[0] ?? message).trim() : message;
}
