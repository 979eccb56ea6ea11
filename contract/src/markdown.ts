/** Pieces of Markdown. */

/** A table from its head and its rows of cells. A cell is one line. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells
      .map((cell) =>
        cell
          .trim()
          .replaceAll('|', '\\|')
          .replaceAll(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
