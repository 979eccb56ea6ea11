/** Commands in a document's blocks, for journeys that run them inside the test's process. */

/** Returns the arguments of each `payments-gateway` command in a block. `here` replaces printed words, such as ids. */
export function parseCommands(block: string, here: Readonly<Record<string, string>> = {}): string[][] {
  const lines = block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith('payments-gateway '));
  return lines.map((line) => {
    const words = [...line.replace(/ +#.*$/, '').matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    );
    return words.slice(1).map((word) => here[word] ?? word);
  });
}
