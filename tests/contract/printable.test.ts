import { expect, it } from 'vitest';
import { CommandLine, type CommandTerminal, runCommand, UserError } from '../../contract/src/cli.ts';
import { printable } from '../../contract/src/printable.ts';

const CLEAR = '\x1b[2J';

it.each([
  ['an escape sequence', `a${CLEAR}b`, 'a\\u001b[2Jb'],
  ['a sequence of one character', 'a\x9b2Jb', 'a\\u009b2Jb'],
  ['a bell and a backspace', 'a\x07\x08b', 'a\\u0007\\u0008b'],
  ['a change of direction', 'a\u202eb', 'a\\u202eb'],
  ['the end of a line', 'a\r\nb', 'a\\u000d\\u000ab'],
])('%s is printed without effect', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

it('other text is unchanged, in any script', () => {
  const text = 'आशा, 平文, ñ, 😀, a\tb\r\nc\n';
  expect(printable(text, { lines: true })).toBe(text);
});

it('printable keeps colors, and no other sequence, for a command with colors', () => {
  const text = `\x1b[31m red\x1b[0m \r\x1b[2K`;
  expect(printable(text, { styles: true })).toBe(text);
  expect(printable(text, { lines: true })).toBe('\\u001b[31m red\\u001b[0m \\u000d\\u001b[2K');
  expect(printable(`${CLEAR}\r\x1b]0;title\x07`, { styles: true })).toBe('\\u001b[2J\\u000d\\u001b]0;title\\u0007');
});

/** Runs a command on a terminal that collects all output. */
async function printed(action: (terminal: CommandTerminal) => string | undefined, isTTY = true): Promise<string> {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const program = new CommandLine('test', { out: write, err: write, isTTY });
  const command = program.subcommand('works', 'Works.');
  command.handle(async () => action(command.terminal));
  await runCommand(program, ['works']);
  return text;
}

it.each<[string, (terminal: CommandTerminal) => string | undefined]>([
  ['a result', () => CLEAR],
  ['output', ({ out }) => void out(`${CLEAR}\n`)],
  ['a message', ({ err }) => void err(`${CLEAR}\n`)],
  ['rows', ({ outRows }) => void outRows(`${CLEAR}\n`)],
  [
    'an error of the user',
    () => {
      throw new UserError(CLEAR);
    },
  ],
])('%s of a command is escaped', async (_what, action) => {
  expect(await printed(action)).toBe('\\u001b[2J\n');
});

it('a defect is escaped', async () => {
  const text = await printed(() => JSON.parse(`{${CLEAR}`));
  expect(text).toMatch(/^SyntaxError: /);
  expect(text).not.toContain('\x1b');
});

it('rows for a file or a program are unchanged', async () => {
  expect(await printed(({ outRows }) => void outRows(`${CLEAR}\r\n`), false)).toBe(`${CLEAR}\r\n`);
});
