/** `npm run build`: openapi/ → generated/. */

import { CommandLine, runCommand, UserError } from '../contract/src/cli.ts';
import { buildArtifacts, writeArtifacts } from './artifacts/build.ts';
import { buildSite } from './reference/site.ts';
import { timed } from './tools/progress.ts';

const command = new CommandLine('npm run build --')
  .description('Build everything in generated/ from openapi/.')
  .option('--check', "Don't write. Exit with 1 if a committed file is stale.")
  .option('--no-site', 'Skip the reference site.')
  .handle(async ({ check = false, site }: { check?: boolean; site: boolean }) => {
    const artifacts = await timed('artifacts', buildArtifacts);
    const stale = await writeArtifacts(artifacts, { dryRun: check });
    if (check) {
      if (stale.length > 0) throw new UserError(`Stale: ${stale.join(', ')}\nRun npm run build and commit the result.`);
      return `generated/ is up to date (${artifacts.length} files)`;
    }
    if (site) await timed('reference site', () => buildSite());
    return stale.length > 0 ? `wrote ${stale.join(', ')}` : 'nothing has changed';
  });

process.exitCode = await runCommand(command);
