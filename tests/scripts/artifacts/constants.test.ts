import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { writeArtifacts } from '../../../scripts/artifacts/artifact.ts';
import { listArtifacts } from '../../../scripts/artifacts/build.ts';

describe('the stale check', () => {
  it('reports no stale file after a build, and names a file after a change', async () => {
    const artifacts = await listArtifacts(readBundle());
    expect(await writeArtifacts(artifacts, { dryRun: true })).toEqual([]);
    const changed = artifacts.map((artifact) => ({
      ...artifact,
      content: artifact.content.replace('CHANNEL_DOWN', 'CHANNEL_UP'),
    }));
    expect(await writeArtifacts(changed, { dryRun: true })).toContain('generated/decline-reasons.ts');
  });
});
