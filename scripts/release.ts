/** `npm run release`: keeps the current contract as the released document, with which later ones are compared. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandLine, runCommand, type Terminal, UserError } from '../contract/src/cli.ts';
import { changelog, presentContract, RELEASED_FILE, releasedContract } from './diff/inputs.ts';
import { asReleased, isReleased, refusal, releasedSources } from './diff/release.ts';
import { isUnreleased } from './diff/version.ts';
import { ROOT } from './tools/process.ts';

export function releaseCommand(terminal?: Terminal): CommandLine {
  return new CommandLine('npm run release --', terminal)
    .description(
      `Release the contract if its version and changelog match its changes: write it to ${RELEASED_FILE}, remove -dev from its version, and put the date into CHANGELOG.md.`,
    )
    .option('--file <file>', 'Write the released document to this file, and change nothing else.')
    .option('--replace', 'Replace the document of a version that is already released. Only while nobody uses it.')
    .handle(async ({ file: name, replace = false }: { file?: string; replace?: boolean }) => {
      const file = name ?? join(ROOT, RELEASED_FILE);
      const [before, present] = [await releasedContract(file), await presentContract()];
      const released = asReleased(present);
      const { version } = released.info;
      const shown = name ?? RELEASED_FILE;
      if (isReleased(before, released)) return `${shown} has version ${version} already.`;
      const reason = refusal(before, released, await changelog(), replace);
      if (reason) throw new UserError(reason);
      await writeFile(file, `${JSON.stringify(released, null, 2)}\n`);
      if (name === undefined) await finishSources(present.info.version);
      return `${shown} has version ${version} now.`;
    });
}

/** Removes the mark of a version that is not released yet from the sources, and from what is made from them. */
async function finishSources(version: string): Promise<void> {
  const [documentFile, changelogFile] = [join(ROOT, 'openapi/openapi.yaml'), join(ROOT, 'CHANGELOG.md')];
  const date = new Date().toISOString().slice(0, 10);
  const sources = releasedSources(await readFile(documentFile, 'utf8'), await changelog(), version, date);
  await writeFile(documentFile, sources.document);
  await writeFile(changelogFile, sources.changelog);
  if (isUnreleased(version)) await rm(join(ROOT, `conformance/requirements/${version}.json`), { force: true });
  // Loading what builds takes longer than the rest.
  const { buildArtifacts, writeArtifacts } = await import('./artifacts/build.ts');
  await writeArtifacts(await buildArtifacts());
}

if (import.meta.main) process.exitCode = await runCommand(releaseCommand());
