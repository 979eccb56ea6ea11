/** Other tools in the place of the kit: each examines the services of the trials, and says what it complains about. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../../scripts/tools/process.ts';
import type { Sound } from '../sound.ts';
import type { Prepared } from './prepare.ts';

/** A service to examine: a proxy with one defect or variation in front of a sound gateway. */
export interface Service {
  readonly url: string;
  readonly sound: Sound;
  /** The contract with transactions of this service in its examples. */
  readonly prepared: Prepared;
  /** A folder of its own for files. */
  readonly folder: string;
}

export interface RunningTool {
  /** The names of what fails. */
  examine(service: Service): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Tool {
  readonly title: string;
  /** Packages with their versions. The repository doesn't depend on them, so that it installs quickly. */
  readonly packages: readonly string[];
  /** Starts it; `folder` has the packages. */
  start(folder: string): Promise<RunningTool>;
}

/** Installs the packages of a tool outside of the repository, unless they are there already. */
export async function installTool({ packages }: Tool): Promise<string> {
  const folder = join(tmpdir(), 'payments-kit-tools', packages.join('+').replaceAll(/[^\w.+-]/g, '-'));
  if (packages.length === 0 || existsSync(join(folder, 'node_modules'))) return folder;
  await mkdir(folder, { recursive: true });
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
  return folder;
}
