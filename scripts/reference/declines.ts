/** Decline codes as the reference shows them: each has an address of its own, and each mention leads there. */
import type { Bundle, DeclineText } from '../../contract/src/model.ts';

/** A table of decline codes. */
export interface DeclineTable {
  /** The schema that has the table, which is also the name of its Markdown page. */
  schema: string;
  /** The heading of the table in the introduction. */
  heading: string;
  /** The kind of transaction that its codes are about. */
  kind: 'payment' | 'payout';
  reasons: Record<string, DeclineText>;
}

/** Link to the table in the reference: a section of the chapter on declines. */
export function tableAddress({ heading }: Pick<DeclineTable, 'heading'>): string {
  return `#section/Decline-reasons/${heading.replaceAll(' ', '-')}`;
}

/** The tables of the document. Their headings in the introduction follow from the names of the schemas. */
export function declineTables(bundle: Bundle): DeclineTable[] {
  return Object.entries(bundle.components.schemas).flatMap(([schema, { anyOf }]) => {
    const reasons = anyOf?.find((branch) => branch['x-decline-reasons'])?.['x-decline-reasons'];
    if (!reasons) return [];
    const kind = schema.startsWith('Payment') ? 'payment' : 'payout';
    const words = schema.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
    const heading = `${words.charAt(0).toUpperCase()}${words.slice(1)}s`;
    return [{ schema, heading, kind, reasons }];
  });
}

/** A copy in which each code has an anchor, and the mentions of codes and the fields that have them link to it. */
export function withDeclineLinks(bundle: Bundle): Bundle {
  const tables = declineTables(bundle);
  const schemas = { ...bundle.components.schemas };
  for (const table of tables) {
    const { description = '', ...schema } = schemas[table.schema] ?? {};
    const link = `[What each code means, and what to do](${tableAddress(table)})`;
    schemas[table.schema] = { ...schema, description: `${description.trimEnd()}\n\n${link}` };
  }
  const info = { ...bundle.info, description: linkDeclines(bundle.info.description, tables) };
  return { ...bundle, info, components: { ...bundle.components, schemas } };
}

function linkDeclines(introduction: string, tables: DeclineTable[]): string {
  let [chapter, section] = ['', ''];
  return introduction
    .split('\n')
    .map((line) => {
      if (line.startsWith('# ')) [chapter, section] = [line, ''];
      else if (line.startsWith('## ')) section = line.slice('## '.length);
      // The headings of assumptions are ids, and stay unchanged.
      if (line.startsWith('#')) return line;
      const own = tables.find(({ heading }) => heading === section);
      return own ? anchored(line, own) : linked(line, tables, `${chapter} ${section}`);
    })
    .join('\n');
}

/** The first cell of a row: an element that the address names, and a link that readers can copy. */
function anchored(line: string, table: DeclineTable): string {
  return line.replace(/^\| `(\w+)` \|/, (row, code: string) => {
    if (!(code in table.reasons)) return row;
    const address = `${tableAddress(table)}/${code}`;
    return `| <span id="${address.slice(1).toLowerCase()}">[\`${code}\`](${address})</span> |`;
  });
}

/** Both tables have some of the codes, so the words around a mention tell which one it is about. */
function linked(line: string, tables: DeclineTable[], context: string): string {
  return line.replace(/(?<!\[)`([A-Z_]+)`/g, (mention, code: string) => {
    const having = tables.filter(({ reasons }) => code in reasons);
    const about = (words: string) => having.find(({ kind }) => new RegExp(`\\b${kind}`, 'i').test(words));
    const table = having.length > 1 ? (about(context) ?? about(line) ?? having[0]) : having[0];
    return table ? `[${mention}](${tableAddress(table)}/${code})` : mention;
  });
}
