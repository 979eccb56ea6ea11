/** Steps of `doctor` that need no service: this Node, the config file, and the driver's module. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../../contract/src/cli.ts';
import type { Examination } from '../doctor/examination.ts';
import type { Driver } from '../drivers/driver.ts';
import { CONFIG_FILES, type Config, loadConfig, loadDriver, loadsTypeScript } from './config.ts';
import { type Flags, toOptions } from './flags.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** Undefined if none was chosen, null if it can't be loaded. */
  readonly driver: string | Driver | undefined | null;
}

/** Runs the steps. If one can't be loaded, the others still run. */
export async function takeLocalSteps(
  examination: Examination,
  flags: Flags,
  baseUrl: string | undefined,
): Promise<LoadedConfig> {
  await examination.take('Node', [], async () => {
    return `${process.version}${loadsTypeScript() ? '' : ', which loads no TypeScript: a config file or driver in .ts needs 22.18'}.`;
  });
  let config: Config = {};
  const file = flags.config ?? CONFIG_FILES.find((name) => existsSync(resolve(name)));
  await examination.take('Config', [], async () => {
    config = await loadConfig(flags.config);
    return file === undefined ? 'None, so flags and the environment say everything.' : `${file}.`;
  });
  const { driver: chosen } = toOptions(flags, baseUrl, config, process.env);
  if (chosen === undefined || typeof chosen === 'object') return { config, driver: chosen };
  try {
    return { config, driver: await loadDriver(chosen) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    examination.add({ name: 'Driver', state: 'problem', text: error.message });
    return { config, driver: null };
  }
}
