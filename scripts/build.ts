/** `npm run build`: openapi/ → generated/. */

import { main, parseCommand, UserError } from '../contract/src/cli.ts';
import { buildArtifacts, writeArtifacts } from './artifacts/build.ts';
import { buildSite } from './reference/site.ts';
import { timed } from './tools/progress.ts';

const COMMAND = {
  name: 'npm run build --',
  summary: 'Makes everything in generated/ from openapi/.',
  options: {
    check: { type: 'boolean', description: 'Write nothing; exit 1 when what is committed is stale.' },
    'no-site': { type: 'boolean', description: 'Leave the reference site out.' },
  },
} as const;

await main(async () => {
  const { values } = parseCommand(COMMAND);
  const artifacts = await timed('artifacts', buildArtifacts);
  const stale = await writeArtifacts(artifacts, { dryRun: values['check'] === true });
  if (values['check']) {
    if (stale.length > 0) throw new UserError(`stale: ${stale.join(', ')}\nRun npm run build and commit generated/.`);
    console.log(`generated/ is up to date (${artifacts.length} files)`);
    return 0;
  }
  if (!values['no-site']) await timed('reference site', () => buildSite());
  console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'nothing has changed');
  return 0;
});
