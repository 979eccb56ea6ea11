/** The problems that operations respond with. */
import { type Bundle, type Json, type Operation, openEnum, operations } from '../../contract/src/model.ts';
import { fenced, joined } from './pieces.ts';

interface ErrorRow {
  status: string;
  /** The `type` of the problem. Empty for a response without an example. */
  type: string;
  meaning: string;
  example?: Json;
}

/** A row for each kind of problem that the operation documents. */
export function errorRows(operation: Operation): ErrorRow[] {
  return operation.responses.flatMap(({ status, description, body }) => {
    if (!/^[45]/.test(status)) return [];
    const examples = new Map((body?.examples ?? []).map(({ value }) => [readType(value), value] as const).reverse());
    if (examples.size === 0) return [{ status, type: '', meaning: description }];
    return [...examples].map(([type, example]) => ({ status, type, meaning: description, example }));
  });
}

/** A section for each kind of problem, to which its `type` leads. */
export function problemSections(bundle: Bundle): string {
  const all = operations(bundle);
  const { known = [] } = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};
  return known
    .map(String)
    .map((type) => {
      const raising = all.filter((operation) => errorRows(operation).some((row) => row.type === type));
      const rows = raising.flatMap(errorRows).filter((each) => each.type === type);
      const row = rows.find(namesField) ?? rows[0];
      const everywhere = raising.length === all.length;
      const links = everywhere ? 'every operation' : raising.map(({ id }) => `[${id}](${id}.md)`).join(', ');
      return joined([
        `### ${problemName(type)}`,
        row && `Status ${row.status}. ${(row.example as { title?: string } | undefined)?.title ?? row.meaning.trim()}.`,
        raising.length > 0 && `Returned by ${links}.`,
        row?.example !== undefined && fenced('json', JSON.stringify(row.example, null, 2)),
      ]);
    })
    .join('\n\n');
}

/** The example has a violation in a field, not in the whole body. */
function namesField({ example }: ErrorRow): boolean {
  const { violations = [] } = (example ?? {}) as { violations?: readonly { pointer: string }[] };
  return violations.some(({ pointer }) => pointer !== '');
}

/** The last part of a problem's type, which is its anchor in the chapter on errors. */
export function problemName(type: string): string {
  return type.slice(type.lastIndexOf('/') + 1);
}

/** A problem's type as a link to its section. */
export function problemLink(type: string): string {
  return `[\`${problemName(type)}\`](errors.md#${problemName(type)})`;
}

function readType(value: Json): string {
  return String((value as { type?: string } | null)?.type ?? '');
}
