/**
 * Shared parts of all command lines: exit codes, errors for the user, and parsers of option values. Parsing, help and
 * suggestions are commander's.
 * Exit codes: 0 success, 1 the command found a problem or failed, 2 it was called incorrectly.
 */
import { inspect } from 'node:util';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { isDay } from './calendar.ts';
import { endWithNpm } from './end-with-npm.ts';
import { didYouMean } from './nearest.ts';
import { pathMistake } from './path-mistake.ts';
import { printable } from './printable.ts';

/** Ends a command with a message on stderr instead of a stack. */
export class UserError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Waits until `out` is written. Throws a UserError if it can't be, as to a closed pipe. Without it, `out` writes at once. */
  readonly outDrained?: () => Promise<void>;
  /** Whether `out` writes to a terminal, not to a file or a pipe. */
  readonly isTTY?: boolean;
}

/** Output of a command. It is escaped, so that untrusted data can't control the terminal. */
export interface CommandTerminal extends Terminal {
  /** Writes rows for a program: escaped only if they go to a terminal. */
  readonly outRows: (text: string) => void;
}

const PROCESS: Terminal = {
  isTTY: process.stdout.isTTY,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  outDrained: () =>
    new Promise((resolve, reject) => {
      process.stdout.write('', (error) => {
        if (error) reject(new UserError(`Can't write all of the output: ${error.message}`));
        else resolve();
      });
    }),
};

function withEscapes(terminal: Terminal, styles: boolean): CommandTerminal {
  const escaped = (write: (text: string) => void) => (text: string) => write(printable(text, { lines: true, styles }));
  const out = escaped(terminal.out);
  return { ...terminal, out, err: escaped(terminal.err), outRows: terminal.isTTY ? out : terminal.out };
}

/** Text to print, an exit code, or undefined on success. */
export type CommandOutcome = string | number | undefined;

/** A command whose mistakes become UserErrors, and whose handlers return an outcome. */
export class CommandLine extends Command {
  readonly terminal: CommandTerminal;
  readonly isOfProcess: boolean;
  /** Values of the first argument for the shell's completion. Others are possible. */
  suggestions: readonly string[] = [];
  exitCode = 0;
  readonly #output: readonly [Terminal, { readonly styles: boolean }];

  /** With `styles`, colors are printed. The command then has to escape what it quotes. */
  constructor(name?: string, terminal: Terminal = PROCESS, { styles = false } = {}) {
    super(name);
    this.#output = [terminal, { styles }];
    this.isOfProcess = terminal === PROCESS;
    this.terminal = withEscapes(terminal, styles);
    this.exitOverride().helpOption('-h, --help', 'Show this help.').helpCommand(false);
    this.configureOutput({ writeOut: this.terminal.out, writeErr: this.terminal.err });
  }

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name, ...this.#output);
  }

  /** Adds a subcommand. Its arguments are written as in the help, such as `fund <merchant-id> <amount>`. */
  subcommand(usage: string, description: string, { isDefault = false } = {}): CommandLine {
    return (this.command(usage, { isDefault }) as CommandLine).description(description);
  }

  suggest(values: readonly string[]): this {
    this.suggestions = values;
    return this;
  }

  /** Sets what the command does. The handler gets the options, then the arguments as they were typed. */
  handle<Options extends object>(handler: (options: Options, ...args: string[]) => Promise<CommandOutcome>): this {
    return this.action(async () => {
      this.#refusePaths();
      const outcome = await handler(this.opts() as Options, ...this.args);
      if (typeof outcome === 'string') this.terminal.out(`${outcome}\n`);
      this.#root().exitCode = typeof outcome === 'number' ? outcome : 0;
    });
  }

  /** Refuses values of `<file>` and `<folder>` that would be taken literally, such as `~/report.json`. */
  #refusePaths(): void {
    const options = this.options.map((option) => [option.flags, this.getOptionValue(option.attributeName())] as const);
    const args = this.registeredArguments.map((argument, index) => [`<${argument.name()}>`, this.args[index]] as const);
    for (const [name, value] of [...options, ...args]) {
      const [, shown = '', kind] = /^(.*?) ?<(file|folder)>$/.exec(name) ?? [];
      if (typeof value !== 'string' || (kind !== 'file' && kind !== 'folder')) continue;
      const mistake = pathMistake(value, kind);
      if (mistake) throw new UserError(`${shown || name} is '${value}'. ${mistake}`, 2);
    }
  }

  override error(message: string): never {
    const problem = message.replace(/^error: ./, (start) => start.slice('error: '.length).toUpperCase());
    throw new UserError(`${problem}\nTry: ${this.#path()} --help`, 2);
  }

  #root(): CommandLine {
    return this.parent instanceof CommandLine ? this.parent.#root() : this;
  }

  #path(): string {
    return this.parent instanceof CommandLine ? `${this.parent.#path()} ${this.name()}` : this.name();
  }
}

/**
 * Runs the command and returns its exit code. An error other than a UserError is a defect, and printed with its stack.
 */
export async function runCommand(command: CommandLine, argv: readonly string[] = process.argv.slice(2)) {
  if (command.isOfProcess) {
    process.stdout.on('error', ignoreClosedPipe);
    void endWithNpm();
  }
  try {
    await command.parseAsync(argv, { from: 'user' });
    return command.exitCode;
  } catch (error) {
    // Help or the version has been printed; commander's code is 1 if help was printed because a subcommand is missing.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isUserError = error instanceof UserError;
    command.terminal.err(`${isUserError ? error.message : inspect(error)}\n`);
    return isUserError ? error.exitCode : 1;
  }
}

/** `payments-gateway --help | head -1` has read enough, and that isn't a failure of the command. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

export const parsePort = parseNumber({ min: 0, max: 65_535 });

/** A parser of numbers from an option: of integers unless `min` is a fraction. */
export function parseNumber({ min = 1, max }: { min?: number; max: number }): (text: string) => number {
  const isInteger = Number.isInteger(min);
  const form = isInteger ? /^\d+$/ : /^\d+(\.\d+)?$/;
  return (text) => {
    const number = Number(text);
    if (form.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be ${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}.`);
  };
}

/** Parses a time in UTC, such as 2026-03-02 or 2026-03-02T18:30:00Z, in milliseconds since 1970. */
export function parseTime(text: string): number {
  const [, day = ''] = /^([\d-]+)(T[\d:.]+Z)?$/.exec(text) ?? [];
  const time = isDay(day) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a time in UTC, such as 2026-03-02T18:30:00Z.');
  return time;
}

/** Parses an argument as an option is parsed. Throws a UserError that begins with `what`, such as `The amount`. */
export function parseArgument<T>(what: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UserError(`${what} is '${text}'. ${(error as Error).message}`, 2);
  }
}

/** Returns an option parser based on `read`. `rule` states the requirement, such as `It must be a day.` */
export function requireParsed<T>(
  read: (text: string) => T | undefined,
  rule: string | ((text: string) => string),
): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(typeof rule === 'string' ? rule : rule(text));
    return value;
  };
}

/** A parser that knows the possible values, which the shell's completion offers. */
export interface NameParser<T, Previous = unknown> {
  (text: string, previous?: Previous): T;
  readonly names: readonly string[];
}

export function parseName<T extends string>(names: readonly T[]): NameParser<T> {
  const parse = (text: string) => {
    const found = names.find((name) => name === text);
    if (found === undefined) {
      throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.${didYouMean(text, names)}`);
    }
    return found;
  };
  return Object.assign(parse, { names });
}

/** A parser of names separated by commas, for an option that may be repeated. */
export function parseNames(names: readonly string[]): NameParser<string[], readonly string[]> {
  const parse = (text: string, previous: readonly string[] = []) => {
    const given = text.split(',');
    const unknown = given.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new InvalidArgumentError(`'${unknown}' is not one of ${names.join(', ')}.${didYouMean(unknown, names)}`);
    }
    return [...new Set([...previous, ...given])];
  };
  return Object.assign(parse, { names });
}

/** Ctrl+C signals every process in the terminal, and parents such as npm forward it a second time. */
const SAME_INTERRUPT_MS = 500;
let interruptedAt = Number.NEGATIVE_INFINITY;

/** Resolves when the process is asked to stop, or asked again. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.on('SIGINT', function interrupt(signal) {
      const now = performance.now();
      if (now - interruptedAt < SAME_INTERRUPT_MS) return;
      interruptedAt = now;
      setTimeout(() => process.off('SIGINT', interrupt), SAME_INTERRUPT_MS).unref();
      resolve(signal);
    });
  });
}
