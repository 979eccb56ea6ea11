import { expect, it } from 'vitest';
import { SETTINGS } from '../../../gateway/src/config/settings.ts';
import { writeArtifacts } from '../../../scripts/artifacts/artifact.ts';
import { configurationReference } from '../../../scripts/artifacts/configuration.ts';

it('the configuration reference has a row for each setting, and is committed as generated', async () => {
  const content = configurationReference();
  for (const { env, flag, kind } of Object.values(SETTINGS)) {
    expect(content).toMatch(new RegExp(`\\| \`${env}\` +\\| ${kind === 'secret' ? ' ' : `\`--${flag}\\b`}`));
  }
  expect(await writeArtifacts([{ file: 'docs/configuration.md', content }], { dryRun: true })).toEqual([]);
});
