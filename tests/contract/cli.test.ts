import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  CommandLine,
  type CommandOutcome,
  type CommandTerminal,
  parseNames,
  parseNumber,
  parsePort,
  runCommand,
  UserError,
} from '../../contract/src/cli.ts';
import { addCompletion } from '../../contract/src/completion.ts';
import { didYouMean } from '../../contract/src/nearest.ts';
import { printable } from '../../contract/src/printable.ts';
import { collect } from '../tools/collect.ts';

const { HOME } = process.env;

interface Flags {
  readonly port?: number;
  readonly seconds?: number;
  readonly only?: string[];
}

/** Runs `tool measure` with the arguments. Returns its output, exit code, and the handler's arguments. */
async function run(argv: readonly string[], outcome: () => Promise<CommandOutcome> = async () => undefined) {
  const handled: { flags: Flags; args: string[] }[] = [];
  const ran = await collect((terminal) => {
    const tool = new CommandLine('tool', terminal).description('A tool.');
    tool
      .subcommand('measure [what]', 'Measure something.')
      .option('--port <port>', 'Port.', parsePort)
      .option('--seconds <seconds>', 'Length.', parseNumber({ min: 0.1, max: 600 }))
      .option('--only <names>', 'Parts.', parseNames(['reads', 'writes']))
      .option('--json <file>', 'Report.')
      .handle((flags: Flags, ...args) => {
        handled.push({ flags, args });
        return outcome();
      });
    tool.subcommand('show <what>', "Show the tool's parts.").suggest(['disk', 'clock']);
    addCompletion(tool);
    return runCommand(tool, argv);
  });
  return { ...ran, handled };
}

describe('a command line', () => {
  it('gives the handler its options and arguments', async () => {
    const argv = ['measure', 'disk', '--port=0', '--seconds', '0.5', '--only', 'writes', '--only', 'reads,writes'];
    const { code, handled } = await run(argv);
    expect(code).toBe(0);
    expect(handled).toEqual([{ flags: { port: 0, seconds: 0.5, only: ['writes', 'reads'] }, args: ['disk'] }]);
  });

  it.each([
    ['nothing', async () => undefined, 0, '', ''],
    ['text', async () => 'done', 0, 'done\n', ''],
    ['an exit code', async () => 1, 1, '', ''],
    ['a UserError', () => Promise.reject(new UserError('The disk is full.')), 1, '', 'The disk is full.\n'],
    ['a UserError about the call', () => Promise.reject(new UserError('No.', 2)), 2, '', 'No.\n'],
  ])('exits and prints accordingly when its handler returns %s', async (_what, outcome, code, stdout, stderr) => {
    expect(await run(['measure'], outcome)).toMatchObject({ code, stdout, stderr });
  });

  it('prints the stack of a defect, and exits with 1', async () => {
    const { code, stderr } = await run(['measure'], () => Promise.reject(new TypeError('x is undefined')));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^TypeError: x is undefined\n +at /) });
  });

  it.each([
    [['mesure'], "Unknown command 'mesure'\n(Did you mean measure?)\nTry: tool --help\n"],
    [['measure', '--prot', '1'], "Unknown option '--prot'\n(Did you mean --port?)\nTry: tool measure --help\n"],
    [['measure', '--port', '65536'], 'is invalid. It must be an integer from 0 to 65535.'],
    [['measure', '--seconds', '1e2'], 'is invalid. It must be a number from 0.1 to 600.'],
    [['measure', '--only', 'reads,speed'], "is invalid. 'speed' is not one of reads, writes."],
    [['measure', '--json=~/a.json'], `--json is '~/a.json'. The shell didn't replace the ~. Write ${HOME}/a.json.`],
    [['measure', '--json', '$OUT/a.json'], "--json is '$OUT/a.json'. Nothing replaces $OUT here. Write its value."],
    [['measure', '--json', 'file:///a.json'], 'It is a URL. Write the path alone, such as /a.json.'],
  ])('exits with 2 and suggests a fix for %j', async (argv, message) => {
    const { code, stdout, stderr, handled } = await run(argv);
    expect({ code, stdout, handled }).toEqual({ code: 2, stdout: '', handled: [] });
    expect(stderr).toContain(message);
  });

  it('prints help to stdout if asked, and to stderr with exit code 2 if a command is missing', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('measure [options] [what]');
    expect(await run([])).toMatchObject({ code: 2, stdout: '', stderr: stdout });
  });
});

describe('the completion', () => {
  it.skipIf(spawnSync('bash', ['--version']).error)('offers commands, options and values in bash', async () => {
    const { stdout: script } = await run(['completion', 'bash']);
    const complete = `COMP_WORDS=(tool "$@"); COMP_CWORD=$#; _tool; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = (...words: string[]) => {
      const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${complete}`, 'bash', ...words], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      return stdout.split('\n').filter(Boolean).toSorted();
    };
    expect(offered('')).toEqual(['completion', 'measure', 'show']);
    expect(offered('show', '')).toEqual(['clock', 'disk']);
    expect(offered('measure', '--port', '1', '--only', '')).toEqual(['reads', 'writes']);
    expect(offered('measure', '--')).toContain('--seconds');
  });
});

describe('the suggestion', () => {
  const NAMES = ['paymentSucceeded', 'paymentFailed', 'payoutFailed', 'INR', 'MAD'];

  it.each([
    ['payment_succeded', ' Did you mean paymentSucceeded?'],
    ['PAYOUT-FAILED', ' Did you mean payoutFailed?'],
    ['INT', ' Did you mean INR?'],
    ['EUR', ''],
    ['refundSucceeded', ''],
    ['', ''],
  ])('for the misspelled name %j is %j', (typed, suggestion) => {
    expect(didYouMean(typed, NAMES)).toBe(suggestion);
  });
});

const CLEAR = '\x1b[2J';

describe('printable', () => {
  it.each([
    ['an escape sequence', `a${CLEAR}b`, 'a\\u001b[2Jb'],
    ['a change of direction', 'a\u202eb', 'a\\u202eb'],
    ['the end of a line', 'a\r\nb', 'a\\u000d\\u000ab'],
  ])('escapes %s', (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('keeps other text, in any script', () => {
    const text = 'आशा, 平文, ñ, 😀, a\tb\r\nc\n';
    expect(printable(text, { lines: true })).toBe(text);
  });

  it('keeps colors, and no other sequence, for a command with colors', () => {
    const text = `\x1b[31m red\x1b[0m \r\x1b[2K`;
    expect(printable(text, { styles: true })).toBe(text);
    expect(printable(text, { lines: true })).toBe('\\u001b[31m red\\u001b[0m \\u000d\\u001b[2K');
    expect(printable(`${CLEAR}\r\x1b]0;title\x07`, { styles: true })).toBe('\\u001b[2J\\u000d\\u001b]0;title\\u0007');
  });
});

/** Runs a command on a terminal that collects all output. */
async function printed(action: (terminal: CommandTerminal) => string | undefined, isTTY = true): Promise<string> {
  const { stdout, stderr } = await collect((terminal) => {
    const program = new CommandLine('test', { ...terminal, isTTY });
    const command = program.subcommand('works', 'Works.');
    command.handle(async () => action(command.terminal));
    return runCommand(program, ['works']);
  });
  return stdout + stderr;
}

const fail = (error: Error) => () => {
  throw error;
};

it.each<[string, (terminal: CommandTerminal) => string | undefined]>([
  ['a result', () => CLEAR],
  ['output', ({ out }) => void out(`${CLEAR}\n`)],
  ['a message', ({ err }) => void err(`${CLEAR}\n`)],
  ['rows', ({ outRows }) => void outRows(`${CLEAR}\n`)],
  ['an error of the user', fail(new UserError(CLEAR))],
  ['a defect', fail(new TypeError(CLEAR))],
])('a command escapes %s', async (_what, action) => {
  const text = await printed(action);
  expect(text).toContain('\\u001b[2J\n');
  expect(text).not.toContain('\x1b');
});

it('a command writes rows for a file or a program unchanged', async () => {
  expect(await printed(({ outRows }) => void outRows(`${CLEAR}\r\n`), false)).toBe(`${CLEAR}\r\n`);
});
