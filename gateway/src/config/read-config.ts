/** Reads the settings: from options, then the environment, then the defaults. */
import { type CommandLine, UserError } from '../../../contract/src/cli.ts';
import { strayCharacters } from './parsers.ts';
import {
  ASCENDING,
  EXCLUSIVE,
  type GatewayConfig,
  LIVE_DEFAULTS,
  type SettingName as Name,
  NEEDS,
  SETTINGS,
  type Setting,
} from './settings.ts';

/** Adds the settings to a command as options. Their values stay strings until `readConfig` parses them. */
export function addSettings(
  command: CommandLine,
  names: readonly Name[] = Object.keys(SETTINGS) as Name[],
  defaults: NodeJS.ProcessEnv = {},
): CommandLine {
  for (const name of names) {
    const { flag, value, env, description, fallback, kind } = SETTINGS[name];
    if (kind === 'secret') continue;
    const byDefault = defaults[env] ?? String(fallback);
    const sources = [`env: ${env}`, ...(byDefault === '' ? [] : [`default: ${byDefault}`])];
    const argument = kind === 'switch' ? '' : ` <${value.toLowerCase()}>`;
    command.option(`--${flag}${argument}`, `${description} (${sources.join(', ')})`);
  }
  return command;
}

/** Option values by setting name. A given switch is true, a negated one false. */
export type SettingFlags = { readonly [K in Name]?: string | boolean };

/**
 * Reads the settings. Throws a UserError for the first invalid one, with its name, its value and the allowed values.
 */
export function readConfig(
  flags: SettingFlags,
  env: NodeJS.ProcessEnv = process.env,
  defaults: NodeJS.ProcessEnv = {},
): GatewayConfig {
  const isLive = (flags.live?.toString() ?? env[SETTINGS.live.env]) === 'true';
  const others = isLive ? { ...LIVE_DEFAULTS, ...defaults } : defaults;
  const given = (name: Name) => flags[name]?.toString() ?? (env[SETTINGS[name].env] || others[SETTINGS[name].env]);
  const source = (name: Name) => (flags[name] === undefined ? SETTINGS[name].env : `--${SETTINGS[name].flag}`);
  for (const [name, needed] of NEEDS) {
    if ([undefined, 'false'].includes(given(name)) || given(needed) !== undefined) continue;
    const [here, missing] = [source(name), SETTINGS[needed].env];
    throw new UserError(`${here} is set, but ${missing} is not. Set ${missing}, or remove ${here}.`, 2);
  }
  const ignored = new Set(EXCLUSIVE.flatMap((names) => overridden(names.filter(given), flags, source)));
  const read = (name: Name): unknown => {
    const setting = SETTINGS[name] as Setting<unknown>;
    const { fallback, parse, allowed } = setting;
    const text = given(name);
    if (text === undefined || ignored.has(name)) return fallback;
    const problem = isHidden(setting) ? 'is invalid' : `is '${text}'`;
    const refuse = (reason = '') => new UserError(`${source(name)} ${problem}. It must be ${allowed}.${reason}`, 2);
    try {
      const mistake = strayCharacters(text);
      if (mistake) throw new Error(mistake);
      const parsed = parse(text);
      if (parsed !== undefined) return parsed;
    } catch (error) {
      throw refuse(`\n${(error as Error).message}.`);
    }
    throw refuse();
  };
  const names = Object.keys(SETTINGS) as Name[];
  const config = Object.fromEntries(names.map((name) => [name, read(name)])) as GatewayConfig;
  for (const [low, high] of ASCENDING) {
    if (config[low] <= config[high]) continue;
    const [lower, raise] = [SETTINGS[low].env, SETTINGS[high].env];
    throw new UserError(
      `${lower} is ${config[low]}, but ${raise} is ${config[high]}. Lower ${lower} to ${config[high]}, or raise ${raise} to ${config[low]}.`,
      2,
    );
  }
  return config;
}

/** Variables that are one letter away from a setting. They may belong to another program, so they are only worth a warning. */
export function findMisspelled(
  env: NodeJS.ProcessEnv,
): readonly { readonly found: string; readonly setting: string }[] {
  const known = Object.values(SETTINGS).map((setting) => setting.env);
  return Object.keys(env).flatMap((found) => {
    if (found.length < COMPARED_FROM || known.includes(found)) return [];
    const setting = known.find((name) => isOneEditAway(found, name));
    return setting === undefined ? [] : [{ found, setting }];
  });
}

/** Shorter names are often similar, such as HOST and HOME. */
const COMPARED_FROM = 6;

/** Whether one letter was added, left out, replaced, or swapped with the next. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}

/** Environment settings overridden by an option for a mutually exclusive setting. */
function overridden(given: readonly Name[], flags: SettingFlags, source: (name: Name) => string): readonly Name[] {
  const options = given.filter((name) => flags[name] !== undefined);
  const effective = options.length > 0 ? options : given;
  if (effective.length > 1)
    throw new UserError(`${effective.map(source).join(' and ')} are both set. Set only one.`, 2);
  return given.filter((name) => !effective.includes(name));
}

/** Its value may contain a password or another secret, so it is never shown. */
function isHidden({ env, kind }: Setting<unknown>): boolean {
  return kind === 'secret' || env === 'DATABASE_URL';
}
