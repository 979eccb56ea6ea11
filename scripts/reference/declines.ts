/** Decline codes in the reference. Each has its own page, and every mention links to it. */

import { payerLanguages, payerText, recipientText } from '../../contract/src/customer-texts.ts';
import { table } from '../../contract/src/markdown.ts';
import { type Bundle, type DeclineHandling, type DeclineText, declineRows } from '../../contract/src/model.ts';
import { OTHER_DECLINES, UNKNOWN_DECLINE } from '../../contract/src/other-declines.ts';
import { SCENARIOS } from '../../gateway/src/channels/scenarios.ts';
import { handlingWords } from '../artifacts/decline-handling.ts';
import type { Page } from './page.ts';
import { joined, testValue } from './pieces.ts';

/** A table of decline codes. */
export interface DeclineTable {
  /** The schema with the table, which also names the page. */
  schema: string;
  /** The heading of the table in the introduction. */
  heading: string;
  /** The kind of transaction that its codes are about. */
  kind: 'payment' | 'payout';
  reasons: Record<string, DeclineText & DeclineHandling>;
  /** The codes of the table, and further codes. */
  all: Record<string, DeclineText & DeclineHandling>;
}

/** Words for the customer: of a payment its payer, of a payout its recipient. */
const CUSTOMER_TEXT = { payment: payerText, payout: recipientText };

/** The tables of the document. Their headings in the introduction follow from the names of the schemas. */
export function declineTables(bundle: Bundle): DeclineTable[] {
  return Object.entries(bundle.components.schemas).flatMap(([schema, definition]) => {
    const reasons = declineRows(definition);
    if (!reasons) return [];
    const kind = schema.startsWith('Payment') ? 'payment' : 'payout';
    const words = schema.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
    const heading = `${words.charAt(0).toUpperCase()}${words.slice(1)}s`;
    return [{ schema, heading, kind, reasons, all: { ...reasons, ...OTHER_DECLINES[kind] } }];
  });
}

/** A page for each table, with a section for each code. A live gateway has no test customers. */
export function declinePages(bundle: Bundle, isLive = false): Page[] {
  return declineTables(bundle).map(({ schema, heading, kind, reasons, all }) => ({
    name: schema,
    title: heading,
    summary: Object.keys(all).join(', '),
    markdown: joined([
      bundle.components.schemas[schema]?.description?.trim(),
      `**Retry** says whether a new ${kind} can succeed; “Later” means once the cause is gone, and “With other data” with another amount, account, customer or method, as the code says. **Acts first** says who has to act before you retry.`,
      table(
        ['Code', 'Suggested action', 'Retry', 'Acts first'],
        Object.entries(all).map(([code, text]) => [
          `[\`${code}\`](${schema}.md#${code.toLowerCase()})`,
          text.suggested_action,
          ...handlingWords(text),
        ]),
      ),
      ...Object.entries(all).map(([code, text]) =>
        section(kind, code, text, { canReproduce: !isLive, isOutside: !(code in reasons) }),
      ),
      section(kind, 'Other codes', UNKNOWN_DECLINE, { canReproduce: false, isOutside: false }),
    ]),
  }));
}

function section(
  kind: DeclineTable['kind'],
  code: string,
  text: DeclineText & DeclineHandling,
  { canReproduce, isOutside }: { canReproduce: boolean; isOutside: boolean },
): string {
  const [retry, acts] = handlingWords(text);
  const rows = {
    Meaning: text.meaning,
    'Likely cause': text.likely_cause,
    'Suggested action': text.suggested_action,
    Retry: retry,
    'Acts first': acts,
  };
  const lines = Object.entries(rows).map(([name, value]) => `- **${name}:** ${value}`);
  return joined([
    `## ${code}`,
    isOutside && "The contract's table doesn't list this code, but it can occur.",
    [...lines, '- **Tell the customer:**', ...customerTexts(kind, code)].join('\n'),
    canReproduce && reproduction(kind, code),
  ]);
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The languages of the texts by their names. */
export const LANGUAGES: ReadonlyMap<string, string> = new Map(
  payerLanguages.map((language) => [NAMES.of(language) ?? language, language]),
);

/** The words for the customer in each language, as items of a list. */
function customerTexts(kind: DeclineTable['kind'], code: string): string[] {
  return [...LANGUAGES].map(([name, language]) => {
    const { title, advice } = CUSTOMER_TEXT[kind](code, language);
    // Texts end in the punctuation of their language. Titles have none.
    const stop = language === 'hi' ? '।' : '.';
    return `  - ${name}: ${title}${stop} ${advice}`;
  });
}

/** The test data that cause a decline, as requests to send from the page, and the walkthrough in which it happens. */
function reproduction(kind: DeclineTable['kind'], code: string): string {
  const walkthrough = kind === 'payment' ? 'h2h-payment' : 'payout';
  const rows = SCENARIOS.filter((row) => row.kind === kind && row.outcome.decline?.reason === code);
  return joined(
    [
      `Reproduce this in a sandbox, or [play it](getting-started.md?play=${walkthrough}&steps=decline-${code}.1#play-${walkthrough}):`,
      ...rows.map((row) => `- \`${row.field}\` ${testValue(row)}: ${row.summary}`),
    ],
    '\n',
  ).replace('\n', '\n\n');
}

/** Adds further codes to the contract's table, which is the end of its section. */
export function withFurtherCodes(chapter: string, { schema, heading, reasons, all }: DeclineTable): string {
  const further = Object.entries(all).filter(([code]) => !(code in reasons));
  const links = further.map(([code]) => `[\`${code}\`](${schema}.md#${code.toLowerCase()})`);
  const rows = further.map(([, text], index) =>
    [links[index], text.meaning, text.likely_cause, text.suggested_action, ...handlingWords(text)].join(' | '),
  );
  const note = `The contract's table doesn't list ${links.join(' and ')}, which can occur too.`;
  return chapter.replace(
    new RegExp(`^## ${heading}$[\\s\\S]*?(?=\\s*(^## |(?![\\s\\S])))`, 'm'),
    (section) => `${section}\n${rows.map((row) => `| ${row} |`).join('\n')}\n\n${note}`,
  );
}

/** The introduction, in which the mentions of codes lead to their sections. */
export function withDeclineLinks(introduction: string, tables: readonly DeclineTable[]): string {
  let [chapter, section] = ['', ''];
  return introduction
    .split('\n')
    .map((line) => {
      if (line.startsWith('# ')) [chapter, section] = [line, ''];
      else if (line.startsWith('## ')) section = line.slice('## '.length);
      // The headings of assumptions are ids, and stay unchanged.
      if (line.startsWith('#')) return line;
      return linked(line, tables, `${chapter} ${section}`);
    })
    .join('\n');
}

/** Both tables have some of the codes, so the words around a mention tell which one it is about. */
function linked(line: string, tables: readonly DeclineTable[], context: string): string {
  return line.replace(/(?<!\[)`([A-Z_]+)`/g, (mention, code: string) => {
    const having = tables.filter(({ all }) => code in all);
    const about = (words: string) => having.find(({ kind }) => new RegExp(`\\b${kind}`, 'i').test(words));
    const table = having.length > 1 ? (about(context) ?? about(line) ?? having[0]) : having[0];
    return table ? `[${mention}](${table.schema}.md#${code.toLowerCase()})` : mention;
  });
}
