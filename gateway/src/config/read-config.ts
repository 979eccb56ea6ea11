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

/** Reads the settings. Throws a UserError for the first wrong one, with its name, its value and the allowed values. */
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

/** Environment settings that are overridden by an option for a mutually exclusive setting. */
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
