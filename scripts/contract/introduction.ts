/**
 * The introduction's tables and diagrams, made from the document's data, so that they cannot differ from it.
 * openapi/introduction.md marks their places with `<!-- insert: NAME ARGUMENT -->`.
 */
import { stateDiagram } from './diagram.ts';
import { type Bundle, operations, type StateMachine, type Transition, webhooks } from './model.ts';

type Insert = (bundle: Bundle, argument: string) => string;

const INSERTS: Record<string, Insert> = {
  'state-diagram': (bundle, name) => stateDiagram(machine(bundle, name)),
  states: (bundle, name) =>
    table(
      ['State', 'Meaning', 'Final'],
      Object.entries(machine(bundle, name).states).map(([state, { meaning, flows, final }]) => [
        code(state),
        flows?.length === 1 && flows[0] === 'h2h' ? `${meaning} Host to host only.` : meaning,
        final ? 'yes' : '',
      ]),
    ),
  transitions: (bundle, name) =>
    table(
      ['From', 'To', 'Moved by', 'When', 'Basis'],
      machine(bundle, name).transitions.map((move) => [
        move.from === null ? '(none)' : code(move.from),
        code(move.to),
        mover(bundle, move),
        move.when,
        basis(move),
      ]),
    ),
  'decline-reasons': (bundle, schema) =>
    table(
      ['Code', 'Meaning', 'Likely cause', 'Suggested action'],
      declineRows(bundle, schema).map(([reason, text]) => [
        code(reason),
        text.meaning,
        text.likely_cause,
        text.suggested_action,
      ]),
    ),
  webhooks: (bundle) =>
    table(
      ['`status`', 'Event', 'Sent when'],
      webhooks(bundle).map((webhook) => [
        code(statusOf(bundle, webhook.request?.schema.$ref ?? '')),
        `[${webhook.id}](#operation/${webhook.id})`,
        webhook.description.split('\n')[0]?.replace('Sent when ', '') ?? '',
      ]),
    ),
  problems: (bundle) => table(['Status', '`type`', 'Meaning'], problemRows(bundle)),
  assumptions: (bundle) =>
    table(
      ['Id', 'Section', 'Open', 'Assumed', 'Why', 'Also done by'],
      bundle['x-assumptions'].map((entry) => [
        `<a id="assumption-${entry.id}"></a>${code(entry.id)}`,
        entry.section,
        entry.open,
        entry.assumed.replaceAll('<', '&lt;'),
        entry.why,
        entry.also_done_by,
      ]),
    ),
};

/** The introduction with every insert filled in. Throws at one that is not known. */
export function expandIntroduction(bundle: Bundle): string {
  return bundle.info.description.replace(/<!-- insert: (\S+) ?(\S*) -->/g, (mark, name: string, argument: string) => {
    const insert = INSERTS[name];
    if (!insert) throw new Error(`openapi/introduction.md: ${mark} is not one of ${Object.keys(INSERTS).join(', ')}`);
    return insert(bundle, argument);
  });
}

function machine(bundle: Bundle, name: string): StateMachine {
  const found = bundle['x-state-machines'][name];
  if (!found) throw new Error(`openapi/introduction.md: there is no state machine ${name}`);
  return found;
}

function mover(bundle: Bundle, move: Transition): string {
  return operations(bundle).some((operation) => operation.id === move.by)
    ? `[${move.by}](#operation/${move.by})`
    : `the ${move.by}`;
}

function basis(move: Transition): string {
  const assumed = [move['x-assumption'] ?? []].flat().map((id) => `assumed ([${id}](#section/Assumptions))`);
  return [...(move['x-source'] ? [`specified (${move['x-source']})`] : []), ...assumed].join(', ');
}

function declineRows(bundle: Bundle, schema: string) {
  const known = bundle.components.schemas[schema]?.anyOf?.[0]?.['x-decline-reasons'];
  if (!known) throw new Error(`openapi/introduction.md: ${schema} has no table of decline reasons`);
  return Object.entries(known);
}

function statusOf(bundle: Bundle, ref: string): string {
  const schema = bundle.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)];
  return String(schema?.properties?.['status']?.const ?? '');
}

function problemRows(bundle: Bundle): string[][] {
  const rows = operations(bundle)
    .flatMap((operation) => operation.responses)
    .flatMap((response) => response.body?.examples ?? [])
    .flatMap(({ value }) => {
      const { type, status, title } = (value ?? {}) as { type?: string; status?: number; title?: string };
      return type && status && title ? [[String(status), code(type), title]] : [];
    });
  return [...new Map(rows.map((row) => [row.join(), row])).values()].sort((a, b) => Number(a[0]) - Number(b[0]));
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
