import { expect, it } from 'vitest';
import { CommandLine, runCommand, UserError } from '../../contract/src/cli.ts';
import { printable } from '../../contract/src/printable.ts';

const CLEAR = '\x1b[2J';

it.each([
  ['an escape sequence', `a${CLEAR}b`, 'a\\u001b[2Jb'],
  ['a sequence of one character', 'a\x9b2Jb', 'a\\u009b2Jb'],
  ['a bell and a backspace', 'a\x07\x08b', 'a\\u0007\\u0008b'],
  ['a change of direction', 'a\u202eb', 'a\\u202eb'],
  ['the end of a line', 'a\r\nb', 'a\\u000d\\u000ab'],
])('%s is shown, and not acted on', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

it('other text is unchanged, in any script', () => {
  const text = 'आशा, 平文, ñ, 😀, a\tb\nc';
  expect(printable(text, { lines: true })).toBe(text);
});

it("a command's result and error are printable", async () => {
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const command = new CommandLine('test', { out: write, err: write });
  command.subcommand('works', 'Works.').handle(async () => `name ${CLEAR}`);
  command.subcommand('fails', 'Fails.').handle(async () => {
    throw new UserError(`refused ${CLEAR}`);
  });
  await runCommand(command, ['works']);
  await runCommand(command, ['fails']);
  expect(printed).toBe('name \\u001b[2J\nrefused \\u001b[2J\n');
});
