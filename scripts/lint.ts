/**
 * `npm run lint`: the checks of the contract itself, and of the documents of the gateway's own APIs.
 * The hand-written files are held to Redocly's strict rules and to ours (openapi/lint/rules, set in redocly.yaml).
 * The bundle is held to the strict rules only, since its callbacks have lost their operationIds; a second validator,
 * written by others, reads it too.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { CommandLine, runCommand, UserError } from '../contract/src/cli.ts';
import { GATEWAY_APIS } from '../gateway/src/http/gateway-apis.ts';
import { unstampedPlaces } from './artifacts/unstamped.ts';
import { ROOT } from './tools/process.ts';
import { timed } from './tools/progress.mjs';
import { redocly } from './tools/redocly.ts';

interface Check {
  name: string;
  /** Throws with the tool's own words when it finds something. */
  run: () => Promise<unknown>;
}

const command = new CommandLine('npm run lint --')
  .description("Check the contract, its bundle and its workflows, and the documents of the gateway's own APIs.")
  .option('--bundle <file>', 'The bundled document.', 'generated/openapi.json')
  .addHelpText('after', '\nThe rules and their options are in redocly.yaml.')
  .handle(async ({ bundle }: { bundle: string }) => {
    process.chdir(ROOT);
    if (!existsSync(bundle)) throw new UserError(`${bundle} doesn't exist.\nRun npm run build to create it.`);
    const runs = checks(bundle).map(({ name, run }) => timed(name, () => named(name, run)));
    const failed = (await Promise.allSettled(runs)).filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of failed) console.error(`\n${(reason as Error).message}`);
    return failed.length > 0 ? 1 : 0;
  });

process.exitCode = await runCommand(command);

function checks(bundle: string): Check[] {
  const workflows = globSync('openapi/workflows/*.arazzo.yaml').toSorted();
  return [
    { name: 'contract', run: () => lint('payments', '--lint-config=error') },
    { name: "the gateway's own APIs", run: () => lint(...GATEWAY_APIS) },
    { name: 'bundle', run: () => lint(bundle) },
    ...(workflows.length > 0 ? [{ name: 'workflows', run: () => lint(...workflows) }] : []),
    { name: 'bundle, swagger-parser', run: () => SwaggerParser.validate(bundle) },
    { name: 'brand', run: () => checkBrand(bundle) },
  ];
}

async function lint(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await redocly(['lint', ...args], { allowFailure: true });
  if (code !== 0) throw new Error(`${stdout}${stderr}`.trim());
}

async function checkBrand(bundle: string): Promise<void> {
  const places = unstampedPlaces(JSON.parse(readFileSync(bundle, 'utf8')));
  if (places.length === 0) return;
  throw new Error(
    `${bundle} still says <BRAND>; the decorator in openapi/lint/brand.ts has missed\n${places.join('\n')}`,
  );
}

/** Prefixes a tool's output with the name of the check. */
async function named(name: string, run: Check['run']): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw new Error(`FAILED ${name}\n${(error as Error).message}`);
  }
}
