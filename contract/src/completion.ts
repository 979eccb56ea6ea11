/** Completion of a command line in bash, zsh and fish. It completes commands, options and values. */
import type { Option } from 'commander';
import { type CommandLine, parseArgument, parseName } from './cli.ts';

/** A word, and the words after which it can follow, with a tab between each part. */
type Row = readonly [after: string, word: string, description: string];

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Adds `completion`, which prints a script for a shell. */
export function addCompletion(program: CommandLine): void {
  const name = program.name();
  program
    .subcommand('completion <shell>', 'Print a script that completes commands, options and values.')
    .suggest(SHELLS)
    .addHelpText(
      'after',
      `
Shells: ${SHELLS.join(', ')}. The command must be on the PATH. In the shell's startup file, add
  source <(${name} completion bash)     # ~/.bashrc
  source <(${name} completion zsh)      # ~/.zshrc, after compinit
  ${name} completion fish | source      # ~/.config/fish/config.fish`,
    )
    .handle(async (_flags, shell = '') => SCRIPTS[parseShell(shell)](name, listRows(program)));
}

function parseShell(text: string): Shell {
  return parseArgument('The shell', text, parseName(SHELLS));
}

function listRows(command: CommandLine, after = command.name()): Row[] {
  const values = command.suggestions.map((value): Row => [after, value, '']);
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => listOption(option, after));
  const children = command.commands.flatMap((child): Row[] => [
    [after, child.name(), firstSentence(child.description())],
    ...listRows(child as CommandLine, `${after} ${child.name()}`),
  ]);
  return [...children, ...values, ...options];
}

function listOption(option: Option, after: string): Row[] {
  const word = option.long ?? option.flags;
  const { names = [] } = (option.parseArg ?? {}) as { readonly names?: readonly string[] };
  return [
    [after, word, firstSentence(option.description)],
    ...names.map((name): Row => [`${after} ${word}`, name, '']),
  ];
}

function firstSentence(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/\. .*$/, '.');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const quoteForFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function toTable(rows: readonly Row[]): string {
  return rows.map((row) => `\n${row.join('\t')}`).join('');
}

/**
 * Each script has the rows as a text. It joins the typed words that are commands, and the previous word if values follow
 * it, and offers the words after them.
 */
const SCRIPTS: Readonly<Record<Shell, (name: string, rows: readonly Row[]) => string>> = {
  bash: (name, rows) => `_${toFunction(name)}() {
  local IFS=$'\\t' rows=${quote(toTable(rows))} after=${name} typed=\${COMP_WORDS[COMP_CWORD]} word place description found=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word != -* && $rows == *$'\\n'"$after"$'\\t'"$word"$'\\t'* ]] && after+=" $word"
  done
  word=\${COMP_WORDS[COMP_CWORD-1]}
  [[ $word == -* && $rows == *$'\\n'"$after $word"$'\\t'* ]] && after+=" $word"
  while read -r place word description; do
    [[ $place == "$after" && $word == "$typed"* && ($word != -* || $typed == -*) ]] && found+=("$word")
  done <<< "$rows"
  COMPREPLY=("\${found[@]}")
}
complete -o default -F _${toFunction(name)} ${name}`,
  zsh: (name, rows) => `#compdef ${name}
_${toFunction(name)}() {
  local rows=${quote(toTable(rows))} after=${name} word place description
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word != -* && $rows == *$'\\n'"$after"$'\\t'"$word"$'\\t'* ]] && after+=" $word"
  done
  word=\${words[CURRENT-1]}
  [[ $word == -* && $rows == *$'\\n'"$after $word"$'\\t'* ]] && after+=" $word"
  while IFS=$'\\t' read -r place word description; do
    [[ $place == "$after" && ($word != -* || $words[CURRENT] == -*) ]] && found+=("\${word//:/\\\\:}:$description")
  done <<< "$rows"
  if (( $#found )); then _describe ${name} found; else _files; fi
}
compdef _${toFunction(name)} ${name}`,
  fish: (name, rows) => {
    const commands = new Set(rows.map(([after]) => after).filter((after) => !after.includes(' -')));
    return `function __${toFunction(name)}_is_after
  set -l after ${name}
  for word in (commandline -opc)[2..]
    contains -- "$after $word" ${[...commands].map(quoteForFish).join(' ')}; and set after "$after $word"
  end
  test "$after" = "$argv[1]"
end
${rows.map((row) => completeForFish(name, row)).join('\n')}`;
  },
};

function completeForFish(name: string, [after, word, description]: Row): string {
  const [, command = after, option] = /^(.*) --(\S+)$/.exec(after) ?? [];
  const condition = quoteForFish(`__${toFunction(name)}_is_after ${quoteForFish(command)}`);
  const completed = option
    ? `-x -l ${option} -a ${word}`
    : word.startsWith('--')
      ? `-l ${word.slice(2)}`
      : `-f -a ${quoteForFish(word)}`;
  return `complete -c ${name} -n ${condition} ${completed}${description && ` -d ${quoteForFish(description)}`}`;
}

function toFunction(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
