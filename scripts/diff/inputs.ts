/** Inputs of the diff and the release: the current contract, the released document, the changelog. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../contract/src/cli.ts';
import type { Bundle } from '../../contract/src/model.ts';
import { bundleContract } from '../artifacts/bundle.ts';
import { ROOT } from '../tools/process.ts';

export const RELEASED_FILE = 'openapi/released.json';

/** The contract, bundled from openapi/ at this moment. */
export async function presentContract(): Promise<Bundle> {
  try {
    return await bundleContract();
  } catch (error) {
    throw new UserError(`The contract cannot be bundled.\n${(error as Error).message}\nNext: npm run lint`);
  }
}

/** A released document, or undefined when the file does not exist. */
export async function releasedContract(file: string): Promise<Bundle | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Bundle;
  } catch (error) {
    throw new UserError(`${file} is not valid JSON: ${(error as Error).message}`, 2);
  }
}

/** The changelog; empty when there is none. */
export async function changelog(): Promise<string> {
  return (await readText(join(ROOT, 'CHANGELOG.md'))) ?? '';
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}
