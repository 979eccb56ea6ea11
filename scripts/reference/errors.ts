/** The problems that an operation can respond with, as a table. */
import { table } from '../../contract/src/markdown.ts';
import { type Bundle, type Operation, operations } from '../../contract/src/model.ts';

interface ErrorRow {
  status: string;
  /** The `type` of the problem. Empty for a response without an example. */
  type: string;
  meaning: string;
}

/** A row for each kind of problem that the operation documents. */
export function errorRows(operation: Operation): ErrorRow[] {
  return operation.responses.flatMap(({ status, description, body }) => {
    if (!/^[45]/.test(status)) return [];
    const types = (body?.examples ?? []).map(({ value }) => String((value as { type?: string } | null)?.type ?? ''));
    return [...new Set(types.length > 0 ? types : [''])].map((type) => ({ status, type, meaning: description }));
  });
}

/**
 * A copy in which the description of each operation ends with its errors. The page has little room next to a sample, so
 * the table is folded and names each type by its last part.
 */
export function withErrorTables(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  for (const operation of operations(bundle)) {
    const raw = copy.paths[operation.path]?.[operation.method];
    if (raw) raw.description = `${operation.description.trimEnd()}\n\n${folded(errorRows(operation))}`;
  }
  return copy;
}

function folded(rows: ErrorRow[]): string {
  const [base = ''] = rows.map(({ type }) => type.slice(0, type.lastIndexOf('/') + 1)).filter(Boolean);
  const cells = rows.map(({ status, type, meaning }) => [
    status,
    type && `\`${type.replace(base, '')}\``,
    meaning.trim(),
  ]);
  return [
    '<details>',
    '<summary>Errors</summary>',
    '',
    `A problem's \`type\` is \`${base}\` followed by its name.`,
    '',
    table(['Status', 'Name', 'Meaning'], cells),
    '',
    '</details>',
  ].join('\n');
}
