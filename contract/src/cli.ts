/**
 * Command lines of the scripts: options as data, from which parsing and `--help` come.
 * Exit codes: 0 done, 1 the command found something wrong, 2 it was called wrongly.
 */
import { parseArgs } from 'node:util';

export interface Option {
  type: 'string' | 'boolean';
  /** What stands for the value in the help, such as PORT. */
  value?: string;
  default?: string | boolean;
  multiple?: boolean;
  description: string;
}

export interface Command {
  /** As the user types it, such as `npm run mock --`. */
  name: string;
  summary: string;
  /** Names of the positional arguments, all required. */
  positionals?: string[];
  options: Record<string, Option>;
  /** Further paragraphs of the help. */
  notes?: string[];
}

export interface Arguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
}

/** Ends the process with one line for the user instead of a stack. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Parses the arguments; `--help` prints and exits 0, what is not understood throws a UserError with exit code 2. */
export function parseCommand(command: Command, argv: string[] = process.argv.slice(2)): Arguments {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, help: HELP }).map(([name, { type, multiple, default: fallback }]) => [
      name,
      { type, ...(multiple && { multiple }), ...(fallback !== undefined && { default: fallback }) },
    ]),
  );
  const { values, positionals } = attempt(command, () => parseArgs({ args: argv, options, allowPositionals: true }));
  if (values['help']) {
    console.log(help(command));
    process.exit(0);
  }
  const wanted = command.positionals ?? [];
  if (positionals.length < wanted.length) throw wrong(command, `${wanted[positionals.length]} is missing`);
  if (positionals.length > wanted.length)
    throw wrong(command, `'${positionals[wanted.length]}' is one argument too many`);
  return { values, positionals };
}

/** A port from an option or the environment. Throws a UserError that says what is allowed. */
export function parsePort(text: string, name: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new UserError(`${name} is '${text}'; it must be 0 to 65535`, 2);
  return port;
}

/** The names that an option lists, separated by commas; all when it is not given. Throws a UserError for an unknown one. */
export function parseNames(command: Command, given: Arguments['values'][string], known: readonly string[]): string[] {
  if (given === undefined) return [...known];
  const names = [given].flat().flatMap((list) => String(list).split(','));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(command, `'${unknown}' is none of ${known.join(', ')}`);
  return [...new Set(names)];
}

/** A number from an option; a whole one unless fractions are allowed by the least. Throws a UserError that says what is. */
export function parseNumber(
  { values }: Arguments,
  name: string,
  { least = 1, most }: { least?: number; most: number },
): number {
  const text = String(values[name]);
  const form = Number.isInteger(least) ? /^\d+$/ : /^\d+(\.\d+)?$/;
  if (!form.test(text) || Number(text) < least || Number(text) > most) {
    const kind = Number.isInteger(least) ? 'a whole number' : 'a number';
    throw new UserError(`--${name} is '${text}'; it must be ${kind} from ${least} to ${most}`, 2);
  }
  return Number(text);
}

/** Runs a command's main function and turns a UserError into its line and exit code. */
export async function main(action: () => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await action()) ?? 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
  }
}

const HELP: Option = { type: 'boolean', description: 'Show this help.' };

function help(command: Command): string {
  const rows = Object.entries({ ...command.options, help: HELP }).map(([name, option]) => {
    const fallback = option.default !== undefined && option.default !== false ? ` [${option.default}]` : '';
    return [`  --${name}${option.value ? ` ${option.value}` : ''}`, `${option.description}${fallback}`] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const usage = [command.name, ...(command.positionals ?? []), '[options]'].join(' ');
  const lines = rows.map(([left, right]) => left.padEnd(width) + right);
  return [
    command.summary,
    '',
    `Usage: ${usage}`,
    '',
    'Options:',
    ...lines,
    ...(command.notes ?? []).flatMap((note) => ['', note]),
  ].join('\n');
}

function attempt<T>(command: Command, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw wrong(command, (error as Error).message.split('. ')[0] ?? '');
  }
}

function wrong(command: Command, problem: string): UserError {
  return new UserError(`${problem}\nTry: ${command.name} --help`, 2);
}
