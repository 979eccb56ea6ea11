/** `npm run build`: openapi/ → generated/, docs/configuration.md from the gateway's settings, and how to install the packages. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand, UserError } from '../contract/src/cli.ts';
import { writeArtifacts } from './artifacts/artifact.ts';
import { buildArtifacts } from './artifacts/build.ts';
import { buildSite, SITE } from './reference/site.ts';
import { ROOT } from './tools/process.ts';
import { timed } from './tools/progress.mjs';

const command = new CommandLine('npm run build --')
  .description(
    'Build everything in generated/ from openapi/, docs/configuration.md, and the sections of documents on installation.',
  )
  .option('--check', "Don't write. Exit with 1 if a committed file is stale.")
  .option('--no-site', 'Skip the reference site.')
  .handle(async ({ check = false, site }: { check?: boolean; site: boolean }) => {
    const artifacts = await timed('artifacts', buildArtifacts);
    const stale = await writeArtifacts(artifacts, { dryRun: check });
    if (check) {
      if (stale.length > 0) throw new UserError(`Stale: ${stale.join(', ')}\nRun npm run build and commit the result.`);
      return `${artifacts.length} files are up to date`;
    }
    if (site) await timed('reference site', buildWholeSite);
    return stale.length > 0 ? `wrote ${stale.join(', ')}` : 'nothing has changed';
  });

process.exitCode = await runCommand(command);

/** The reference, together with the report on the gateway's conformance that `npm run conformance` wrote, and the table of implementations. */
async function buildWholeSite(): Promise<void> {
  await buildSite();
  for (const name of ['index.html', 'badge.svg', 'implementations/index.html']) {
    await cp(join(ROOT, 'docs/conformance', name), join(SITE, 'conformance', name));
  }
}
