/** Parses CSV (RFC 4180). Returns rows keyed by the names in the first row. */
export function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (let row: string[] = []; cell.lastIndex < text.length; ) {
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`This is not CSV: ${text.slice(0, 200)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  const [names = [], ...lines] = rows;
  return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}
