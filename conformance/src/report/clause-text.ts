/** The text of a clause, and its link into the reference. */
import { type Assumption, atPointer } from '../../../contract/src/model.ts';
import type { Clause, Contract } from '../document/contract.ts';
import type { ReportedClause } from './report.ts';

/** The clause in the words of the document. `operation` is the one under test, for clauses that several share. */
export function reportClause(contract: Contract, clause: Clause, operation?: string): ReportedClause {
  const { pointer, basis, rests, text = formatClauseText(contract, clause) } = clause;
  return { pointer, basis, rests, text, link: formatLink(contract, clause, operation) };
}

function formatClauseText(contract: Contract, clause: Clause): string {
  const stated = clause.basis === 'assumed' ? listAssumptions(contract, clause)[0]?.assumed : undefined;
  return firstSentences(stated ?? descriptionAt(contract, clause.pointer));
}

export function listAssumptions({ bundle }: Contract, { rests }: Clause): Assumption[] {
  const ids = /^assumption (.+)$/.exec(rests)?.[1]?.split(', ') ?? [];
  return bundle['x-assumptions'].filter(({ id }) => ids.includes(id));
}

interface Described {
  readonly description?: string;
  readonly summary?: string;
  readonly when?: string;
  readonly from?: string | null;
  readonly to?: string;
  readonly title?: string;
  readonly meaning?: string;
}

/** The description at the pointer, or at the nearest place above it. */
function descriptionAt({ bundle }: Contract, pointer: string): string {
  const tokens = pointer.split('/').slice(1);
  for (let length = tokens.length; length > 0; length -= 1) {
    const node = valueAt(bundle, `/${tokens.slice(0, length).join('/')}`);
    const { description, summary, when, from, to, meaning, title } = (node ?? {}) as Described;
    const text =
      when === undefined ? (description ?? summary ?? meaning ?? title) : `${from ?? '(none)'} → ${to}: ${when}`;
    if (typeof text === 'string') return text;
  }
  return 'Messages are JSON over HTTP.';
}

function valueAt(bundle: object, pointer: string): unknown {
  try {
    return atPointer(bundle, pointer);
  } catch {
    return undefined;
  }
}

const SENTENCES = 2;

function firstSentences(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) (?=[A-Z`])/)
    .slice(0, SENTENCES)
    .join(' ');
}

/** A table of decline codes, or a row of one. */
const DECLINES = /^\/components\/schemas\/(\w+)DeclineReason(?:\/.*\/x-decline-reasons\/(\w+))?$/;

/** The address of the clause in the reference. Assumptions and decline codes have a section each. */
function formatLink(contract: Contract, clause: Clause, operation: string | undefined): string {
  const pages = `${contract.bundle.externalDocs?.url ?? ''}/docs`;
  const [assumption] = listAssumptions(contract, clause);
  if (assumption) return `${pages}/assumptions.html#${assumption.id}`;
  const [, kind, code] = DECLINES.exec(clause.pointer) ?? [];
  if (kind) return `${pages}/${kind}DeclineReason.html${code ? `#${code.toLowerCase()}` : ''}`;
  const all = [...contract.operations, ...contract.webhooks];
  const own = all.find(({ pointer }) => clause.pointer === pointer || clause.pointer.startsWith(`${pointer}/`));
  const id = own?.id ?? all.find((one) => one.id === operation)?.id;
  if (clause.pointer.startsWith('/x-state-machines/')) return `${pages}/states.html`;
  return id === undefined ? `${pages}/` : `${pages}/${id}.html`;
}
