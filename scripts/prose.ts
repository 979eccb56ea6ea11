/**
 * `npm test -- --only prose`: spelling (cspell.json, scripts/prose/words.txt) and the phrases of
 * scripts/prose/vocabulary.yaml. docs/writing.md is the guide behind them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine, runCommand } from '../contract/src/cli.ts';
import { READABLE } from './prose/text.ts';
import { type Finding, findPhrases, readVocabulary } from './prose/vocabulary.ts';
import { repositoryFiles } from './tools/files.ts';
import { ROOT, run } from './tools/process.ts';

const command = new CommandLine('node scripts/prose.ts')
  .description('Check the spelling and the wording of documents, comments and messages.')
  .handle(async () => {
    const [misspelled, findings] = await Promise.all([checkSpelling(), checkWording()]);
    if (misspelled !== '') {
      console.error(
        `${misspelled}\nCorrect the words, or add them to scripts/prose/words.txt if the domain uses them.`,
      );
    }
    for (const { file, line, found, write } of findings) console.error(`${file}:${line}: "${found}". Write: ${write}.`);
    if (findings.length > 0) console.error('Rewrite the sentences; docs/writing.md has examples.');
    return misspelled === '' && findings.length === 0 ? 0 : 1;
  });

process.exitCode = await runCommand(command);

/** Returns cspell's output: a line for each unknown word. */
async function checkSpelling(): Promise<string> {
  const cache = ['--cache', '--cache-location', 'node_modules/.cache/cspell'];
  const args = ['lint', '--no-progress', '--no-summary', '--no-color', '--relative', ...cache];
  const { code, stdout, stderr } = await run(process.execPath, [join(ROOT, 'node_modules/cspell/bin.mjs'), ...args], {
    allowFailure: true,
  });
  return code === 0 ? '' : `${stdout}${stderr}`.trim();
}

function checkWording(): Finding[] {
  const { phrases, ignore } = readVocabulary();
  const isChecked = (file: string) =>
    READABLE.some((ending) => file.endsWith(ending)) && !ignore.some((start) => file.startsWith(start));
  return repositoryFiles()
    .filter(isChecked)
    .flatMap((file) => findPhrases(file, readFileSync(join(ROOT, file), 'utf8'), phrases));
}
