import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../tools/process.ts';

export interface Artifact {
  /** Path from the root of the repo. */
  file: string;
  content: string;
}

/** The banner of a generated TypeScript or JavaScript file: its generator, and where to make changes. */
export function banner(source: string, what: string): string {
  return `// Made from ${source} by \`npm run build\`.\n// Do not edit: change ${what} and run it again.\n`;
}

/** Writes the changed artifacts and returns their paths. */
export async function writeArtifacts(artifacts: Artifact[], { dryRun = false } = {}): Promise<string[]> {
  const changed = await Promise.all(
    artifacts.map(async ({ file, content }) => {
      const path = join(ROOT, file);
      const before = await readFile(path, 'utf8').catch(() => undefined);
      if (before === content) return [];
      if (!dryRun) {
        await mkdir(dirname(path), { recursive: true });
        // Another process may read it.
        await writeFile(`${path}.${process.pid}`, content);
        await rename(`${path}.${process.pid}`, path);
      }
      return [file];
    }),
  );
  return changed.flat();
}
