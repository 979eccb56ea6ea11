/**
 * The introduction's tables and diagrams, made from the document's data, so that they cannot differ from it.
 * openapi/introduction.md marks their places with `<!-- insert: NAME ARGUMENT -->`.
 */

import { table } from '../../contract/src/markdown.ts';
import {
  type Assumption,
  type Bundle,
  declineRows,
  type Operation,
  operations,
  SAMPLE_KEY,
  type StateMachine,
  type Transition,
  webhooks,
} from '../../contract/src/model.ts';
import { takenBySender } from '../../contract/src/sender.ts';
import { BASIS_MARK } from '../../openapi/lint/text.ts';
import { handlingWords } from './decline-handling.ts';
import { stateDiagram } from './diagram.ts';
import { expandInstallation, INSTALLATION_INSERTS } from './installation.ts';
import { baseUrl, sampleCall } from './samples/call.ts';
import { curlSample } from './samples/languages.ts';
import { walkthrough } from './walkthrough.ts';

type Insert = (bundle: Bundle, argument: string) => string;

const INSERTS: Record<string, Insert> = {
  'state-diagram': (bundle, name) => stateDiagram(takenBySender(machine(bundle, name))),
  states: (bundle, name) =>
    table(
      ['State', 'Meaning', 'Final'],
      Object.entries(machine(bundle, name).states).map(([state, { meaning, flows, final }]) => [
        code(state),
        linkOperations(bundle, flows?.length === 1 && flows[0] === 'h2h' ? `${meaning} H2H only.` : meaning),
        final ? 'yes' : '',
      ]),
    ),
  transitions: (bundle, name) =>
    table(
      ['From', 'To', 'Caused by', 'When', 'Basis'],
      machine(bundle, name).transitions.map((move) => [
        move.from === null ? '(none)' : code(move.from),
        code(move.to),
        mover(bundle, move),
        move.tolerated
          ? `${move.when} Accept this transition from any service; the gateway of this kit doesn't make it.`
          : move.when,
        basis(move),
      ]),
    ),
  'decline-reasons': (bundle, schema) =>
    table(
      ['Code', 'Meaning', 'Likely cause', 'Suggested action', 'Retry', 'Acts first'],
      listDeclines(bundle, schema).map(([reason, text]) => [
        code(reason),
        text.meaning,
        text.likely_cause,
        text.suggested_action,
        ...handlingWords(text),
      ]),
    ),
  webhooks: (bundle) =>
    table(
      ['`status`', 'Event', 'Sent when'],
      webhooks(bundle).map((webhook) => [
        code(readStatus(bundle, webhook.request?.schema.$ref ?? '')),
        `[${webhook.id}](#operation/${webhook.id})`,
        webhook.description
          .split('\n')[0]
          ?.replace('Sent when ', '')
          .replace(/^./, (letter) => letter.toUpperCase()) ?? '',
      ]),
    ),
  problems: (bundle) => table(['Status', '`type`', 'Meaning'], problemRows(bundle)),
  walkthrough,
  environment: (bundle) => `\`\`\`sh\nexport BASE_URL=${baseUrl(bundle)}\nexport API_KEY=${SAMPLE_KEY}\n\`\`\``,
  curl: (bundle, id) => `\`\`\`sh\n${curlSample(sampleCall(bundle, requireOperation(bundle, id))).trimEnd()}\n\`\`\``,
  assumptions: (bundle) => bundle['x-assumptions'].map(assumptionSection).join('\n\n'),
};

/** Returns the introduction with all inserts expanded and basis marks in small print. Throws on an unknown insert. */
export function expandIntroduction(bundle: Bundle): string {
  const marked = expandInstallation(bundle.info.description).replace(BASIS_MARK, (_, mark: string) => smallPrint(mark));
  return marked.replace(/<!-- insert: (\S+) ?(\S*) -->/g, (mark, name: string, argument: string) => {
    const insert = INSERTS[name];
    const known = [...Object.keys(INSERTS), ...INSTALLATION_INSERTS];
    if (!insert) throw new Error(`openapi/introduction.md: ${mark} is not one of ${known.join(', ')}`);
    return insert(bundle, argument);
  });
}

/** `source 4.1; assumption flow` as readers see it: the section, and a link to the assumption. */
function smallPrint(mark: string): string {
  if (mark === 'about') return '';
  const parts = mark.split('; ').map((part) => {
    const [kind, ...names] = part.split(/,? /);
    return names.map((name) => (kind === 'source' ? `§${name}` : `[${name}](${assumptionAddress(name)})`)).join(', ');
  });
  return ` <sup>${parts.join(', ')}</sup>`;
}

function requireOperation(bundle: Bundle, id: string): Operation {
  const found = operations(bundle).find((operation) => operation.id === id);
  if (!found) throw new Error(`openapi/introduction.md: operation not found: ${id}`);
  return found;
}

function machine(bundle: Bundle, name: string): StateMachine {
  const found = bundle['x-state-machines'][name];
  if (!found) throw new Error(`openapi/introduction.md: state machine not found: ${name}`);
  return found;
}

function mover(bundle: Bundle, move: Transition): string {
  return operations(bundle).some((operation) => operation.id === move.by)
    ? `[${move.by}](#operation/${move.by})`
    : `the ${move.by}`;
}

function basis(move: Transition): string {
  const assumed = [move['x-assumption'] ?? []].flat().map((id) => `assumed ([${id}](${assumptionAddress(id)}))`);
  return [...(move['x-source'] ? [`specified (${move['x-source']})`] : []), ...assumed].join(', ');
}

/** Link to an entry of the assumption registry in the reference. */
export function assumptionAddress(id: string): string {
  return `#section/Assumptions/${id}`;
}

/** A separate section, so that statements based on the assumption can link to it. */
function assumptionSection(entry: Assumption): string {
  return [
    `## ${entry.id}`,
    `**Open** (section ${entry.section}): ${entry.open}`,
    `**Assumed:** ${escapeTags(entry.assumed)}`,
    `**Why:** ${entry.why}`,
    `**Also done by:** ${entry.also_done_by}`,
  ].join('\n\n');
}

/** Outside of code spans, `<` would begin a tag. */
function escapeTags(text: string): string {
  return text.replace(/(`[^`]*`)|</g, (_, span?: string) => span ?? '&lt;');
}

/** The text with each operation's name as a link to it. */
function linkOperations(bundle: Bundle, text: string): string {
  return operations(bundle).reduce((linked, { id }) => linked.replace(id, `[${id}](#operation/${id})`), text);
}

function listDeclines(bundle: Bundle, schema: string) {
  const known = declineRows(bundle.components.schemas[schema] ?? {});
  if (!known) throw new Error(`openapi/introduction.md: ${schema} has no table of decline reasons`);
  return Object.entries(known);
}

function readStatus(bundle: Bundle, ref: string): string {
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
