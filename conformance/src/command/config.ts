/** The config file: the flags' settings and more. Node loads it, so TypeScript needs a version that strips types. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../../contract/src/cli.ts';
import { isObject } from '../../../contract/src/model.ts';
import { type ConformanceOptions, LEVELS, type Level, type OwnCheck, PROFILES } from '../core/settings.ts';
import type { Driver } from '../drivers/driver.ts';
import { parseJsonFile } from '../service/exchange.ts';

export interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
  readonly badge?: string;
  readonly har?: string;
}

export interface Config extends Omit<Partial<ConformanceOptions>, 'levels' | 'checks'> {
  /** Checks of your own, or the path of a module whose export `checks` has them. */
  readonly checks?: string | readonly OwnCheck[];
  /** Capabilities of the service. */
  readonly capabilities?: {
    /** Levels that the service claims. Defaults to all. */
    readonly levels?: readonly Level[];
  };
  readonly reports?: ReportFiles;
  /** Writes annotations and a job summary for GitHub Actions. Defaults to whether it runs there. */
  readonly github?: boolean;
}

/** Types a config file: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}

const NAME = 'payments-conformance.config';
const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.json'];
export const CONFIG_FILES = EXTENSIONS.map((extension) => `${NAME}${extension}`);
const TYPESCRIPT = new Set(['.ts', '.mts']);

/** The config in the file, or in the one of the working directory if there is one. */
export async function loadConfig(file: string | undefined, folder = process.cwd()): Promise<Config> {
  const found = file ?? CONFIG_FILES.find((name) => existsSync(resolve(folder, name)));
  if (found === undefined) return {};
  const path = resolve(folder, found);
  if (!existsSync(path)) throw new UserError(`Config file not found: ${found}. Set --config to its path.`, 2);
  const config = extname(path) === '.json' ? readJson(path, found) : (await importModule(path, found)).default;
  requireConfig(config, found);
  const relative = (name: string | undefined) => name && resolve(dirname(path), name);
  const knownFailures = relative(config.knownFailures);
  const driver = typeof config.driver === 'string' && isPath(config.driver) ? relative(config.driver) : config.driver;
  const checks = typeof config.checks === 'string' ? relative(config.checks) : config.checks;
  return {
    ...config,
    ...(checks && { checks }),
    ...(knownFailures && { knownFailures }),
    ...(driver !== undefined && { driver }),
  };
}

/** A driver of the kit by its name, or the driver that the module at the path exports. */
export async function loadDriver(driver: string | Driver, folder = process.cwd()): Promise<string | Driver> {
  if (typeof driver === 'object' || !isPath(driver)) return driver;
  const path = resolve(folder, driver);
  if (!existsSync(path)) throw new UserError(`Driver not found: ${driver}. Set --driver to the path of a module.`, 2);
  const module = await importModule(path, driver);
  const found = (module.default ?? module['driver']) as Partial<Driver> | undefined;
  const missing = DRIVER_MEMBERS.filter(([name, type]) => typeof found?.[name] !== type).map(([name]) => name);
  if (missing.length === 0) return found as Driver;
  throw new UserError(`${driver}: the default export is not a driver. Missing: ${missing.join(', ')}.`, 2);
}

/** The checks that the module at the path exports. */
export async function loadChecks(
  checks: string | readonly OwnCheck[],
  folder = process.cwd(),
): Promise<readonly OwnCheck[]> {
  const found = typeof checks === 'string' ? await importChecks(checks, folder) : checks;
  const isCheck = (one: Partial<OwnCheck> | null) =>
    typeof one?.id === 'string' && typeof one.title === 'string' && typeof one.run === 'function';
  if (Array.isArray(found) && found.every(isCheck)) return found;
  throw new UserError(`${checks}: export \`checks\`, an array of objects with id, title and run.`, 2);
}

async function importChecks(file: string, folder: string): Promise<unknown> {
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new UserError(`Checks not found: ${file}. Set --checks to the path of a module.`, 2);
  return (await importModule(path, file))['checks'];
}

const DRIVER_MEMBERS: readonly [keyof Driver, string][] = [
  ['name', 'string'],
  ['payment', 'function'],
  ['payout', 'function'],
  ['items', 'function'],
];

function isPath(driver: string): boolean {
  return /[\\/.]/.test(driver);
}

function readJson(path: string, name: string): unknown {
  try {
    return parseJsonFile(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UserError(`${name} is not JSON: ${(error as Error).message}`, 2);
  }
}

async function importModule(path: string, name: string): Promise<Record<string, unknown>> {
  if (TYPESCRIPT.has(extname(path)) && !loadsTypeScript()) {
    throw new UserError(`Node ${process.version} can't load ${name}. Use Node 22.18 or newer, or a .js file.`, 2);
  }
  try {
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    // `npm init` declares .js files as CommonJS.
    const isModule = error instanceof SyntaxError && /\b(export|import)\b/.test(error.message);
    if (!isModule) throw new UserError(`Can't load ${name}: ${(error as Error).message}`, 2);
    const renamed = basename(name).replace(/\.([jt]s)$/, '.m$1');
    const hint = `Rename it to ${renamed}, or run: npm pkg set type=module`;
    throw new UserError(`Can't load ${name}: it is an ES module, and package.json says CommonJS. ${hint}`, 2);
  }
}

export function loadsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isTextRecord = (value: unknown) => isObject(value) && Object.values(value).every(isText);

const SETTINGS: Readonly<Record<keyof Config, readonly [holds: (value: unknown) => boolean, expected: string]>> = {
  baseUrl: [isText, 'a string'],
  name: [isText, 'a string'],
  key: [isText, 'a string'],
  secondKey: [isText, 'a string'],
  secret: [isText, 'a string'],
  secondSecret: [isText, 'a string'],
  headers: [isTextRecord, 'an object of strings'],
  webhook: [isObject, 'an object with host, port or url'],
  driver: [(value) => isText(value) || isObject(value), 'a name, a path or a driver'],
  capabilities: [isCapabilities, `an object with levels, an array of ${LEVELS.join(', ')}`],
  only: [isTexts, 'an array of strings'],
  skip: [isTexts, 'an array of strings'],
  profile: [(value) => PROFILES.some((name) => name === value), PROFILES.join(' or ')],
  contractVersion: [isText, 'a string'],
  knownFailures: [isText, 'a path'],
  strictKnownFailures: [isFlag, 'true or false'],
  timeoutMs: [isCount, 'an integer'],
  seed: [isCount, 'an integer'],
  walks: [isCount, 'an integer'],
  maxRequests: [isCount, 'an integer'],
  maxAmount: [isCount, 'an integer'],
  maxTime: [isCount, 'an integer'],
  maxTimeFailing: [isCount, 'an integer'],
  maxResponseTime: [isCount, 'an integer'],
  checks: [(value) => isText(value) || Array.isArray(value), 'a path or an array of checks'],
  stopAtFirst: [isFlag, 'true or false'],
  reports: [isTextRecord, 'an object of paths'],
  github: [isFlag, 'true or false'],
};

function isCapabilities(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { levels = [], ...rest } = value as { levels?: unknown };
  return Object.keys(rest).length === 0 && isTexts(levels) && (levels as Level[]).every((one) => LEVELS.includes(one));
}

function requireConfig(config: unknown, name: string): asserts config is Config {
  if (!isObject(config)) throw new UserError(`${name}: the default export must be an object. Use defineConfig.`, 2);
  for (const [key, value] of Object.entries(config as object)) {
    const rule = SETTINGS[key as keyof Config];
    if (!rule) throw new UserError(`${name}: '${key}' is unknown. Use ${Object.keys(SETTINGS).join(', ')}.`, 2);
    if (!rule[0](value)) throw new UserError(`${name}: '${key}' must be ${rule[1]}.`, 2);
  }
}
