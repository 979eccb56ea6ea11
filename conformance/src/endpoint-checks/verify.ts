/** A whole run against a webhook endpoint: from the options to the results. */
import { UserError } from '../../../contract/src/cli.ts';
import { printable } from '../../../contract/src/printable.ts';
import { NotReached, nameVerdict, toBreach, toVerdict } from '../core/finding.ts';
import { defined, type Level, type Profile, requireSecret } from '../core/settings.ts';
import { type Contract, loadContract } from '../document/contract.ts';
import { reportClause } from '../report/clause-text.ts';
import { quote } from '../report/evidence.ts';
import { type CauseKey, groupByCause, shapeOfFinding } from '../report/groups.ts';
import type { ReportedCheck, ReportedFinding } from '../report/report.ts';
import { groupLines } from '../report/terminal.ts';
import { type Assessed, type Assessment, assess } from '../run/assess.ts';
import {
  isAccepted,
  newVectorInputs,
  type ReceiverCheck,
  type ReceiverContext,
  type ReceiverFinding,
  type ReceiverResult,
  receiverChecks,
  validDelivery,
} from './checks.ts';
import { openEndpoint, type WebhookEndpoint } from './endpoint.ts';

export interface ReceiverOptions {
  readonly url: string;
  /** The signing secret that the endpoint has, such as `whsec_…`. */
  readonly secret: string;
  /** Headers sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A merchant_order_id that the endpoint knows, if it refuses events of unknown orders. */
  readonly order?: string;
  /** Milliseconds to wait for a response. */
  readonly timeoutMs?: number;
  /** Ids of checks, or their beginnings. Defaults to all. */
  readonly only?: readonly string[];
}

/** A service waits so long for the response to a webhook (assumption retries). */
export const RECEIVER_TIMEOUT_MS = 15_000;
/** Number of unanswered deliveries in a row after which the remaining checks are left out. */
const SILENT_MAX = 2;

/** Verifies a webhook endpoint. Rejects with a UserError if it can't be reached, or the options are wrong. */
export async function verifyReceiver(options: ReceiverOptions): Promise<ReceiverResult[]> {
  const { secret, order, headers = {}, timeoutMs = RECEIVER_TIMEOUT_MS } = options;
  requireSecret(secret);
  const contract = loadContract();
  const checks = select(receiverChecks(contract), options.only);
  const { deliver } = openEndpoint({ url: readUrl(options.url), headers, timeoutMs });
  let silent = 0;
  let silentSince: string | undefined;
  const endpoint: WebhookEndpoint = {
    async deliver(delivery, pace) {
      const reply = await deliver(delivery, pace);
      // A truncated delivery gets no response.
      if (pace !== 'cut') silent = reply.status === undefined ? silent + 1 : 0;
      return reply;
    },
  };
  const newInputs = () => newVectorInputs(secret, order);
  const first = await endpoint.deliver(validDelivery(contract, newInputs()));
  if (first.status === undefined && !first.late) {
    throw new UserError(`No response from ${options.url}: ${first.failure}. Is the endpoint running there?`);
  }
  let open = isAccepted(first);
  const isOpen = async () => {
    // The first event may have arrived while the endpoint was starting.
    open ||= isAccepted(await endpoint.deliver(validDelivery(contract, newInputs())));
    return open;
  };
  const context: ReceiverContext = { contract, endpoint, newInputs, isOpen };
  const results: ReceiverResult[] = [];
  for (const check of checks) {
    const silence = `the endpoint gave no response any more since ${silentSince}`;
    const result = await runCheck(context, check, silent >= SILENT_MAX ? silence : undefined);
    silentSince = silent === 0 ? undefined : (silentSince ?? check.id);
    results.push(result);
  }
  return results;
}

/** Assesses the results like a verification of a service. Unreached checks leave the conformance open. */
export function assessReceiver(results: readonly ReceiverResult[], profile: Profile = 'document'): Assessment {
  const levels: readonly Level[] = ['webhooks'];
  const rest = { levels, partOf: levels, phase: 'parallel' as const, covered: [], ms: 0 };
  const required = results.map((result) => ({ ...result, ...rest }));
  return assess({ results: required, plan: [], settings: { levels } }, { profile });
}

async function runCheck(
  context: ReceiverContext,
  { run, ...check }: ReceiverCheck,
  silence: string | undefined,
): Promise<ReceiverResult> {
  try {
    if (silence !== undefined) throw new NotReached(silence, 'correct that first');
    const findings = await run(context);
    return { ...check, verdict: toVerdict(findings), findings };
  } catch (error) {
    if (error instanceof NotReached) {
      return { ...check, verdict: 'not reached', findings: [], reason: error.message, remedy: error.remedy };
    }
    return { ...check, verdict: 'fault', findings: [], reason: (error as Error).stack ?? String(error) };
  }
}

function select(checks: readonly ReceiverCheck[], only: readonly string[] | undefined): readonly ReceiverCheck[] {
  if (!only) return checks;
  const isNamed = ({ id }: ReceiverCheck, word: string) => id === word || id.startsWith(`${word}/`);
  const unknown = only.find((word) => !checks.some((check) => isNamed(check, word)));
  if (unknown !== undefined) {
    const first = checks[0]?.id ?? '';
    throw new UserError(`'${unknown}' selects no check. Use an id or its beginning, such as ${first}.`, 2);
  }
  return checks.filter((check) => only.some((word) => isNamed(check, word)));
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UserError(`'${text}' is not the URL of an endpoint. Use one such as http://127.0.0.1:3000/webhooks.`, 2);
}

export interface ReceiverReport {
  readonly url: string;
  readonly results: readonly ReceiverResult[];
  readonly assessment: Assessment;
}

/** The causes in the order to fix them, with the delivery of each, and the outcome. */
export function printReceiver(contract: Contract, { url, results, assessment }: ReceiverReport): string {
  const { profile, outcome } = assessment;
  const checks = results.map((result, index) => reported(contract, url, result, profile, assessment.results[index]));
  const groups = groupByCause(checks, profile, toCauseKey(results));
  return [
    ...groups.map((group, index) =>
      groupLines(group, index + 1)
        .map((line) => printable(line))
        .join('\n'),
    ),
    count(results, profile),
    outcome === 'not shown' ? `It is not shown that ${url} conforms.` : `${url} ${outcome}.`,
  ].join('\n\n');
}

function reported(
  contract: Contract,
  url: string,
  result: ReceiverResult,
  profile: Profile,
  assessed: Assessed | undefined,
): ReportedCheck {
  const { id, title, clause, findings, reason, remedy } = result;
  const verdict = nameVerdict(result.verdict, profile);
  return {
    // The report ends the sentence.
    ...{ id, title: title.replace(/\.$/, ''), verdict, levels: [], partOf: [], ms: 0 },
    clause: reportClause(contract, clause),
    findings: findings.map((finding): ReportedFinding => {
      const { at, expected, found, clause: own } = finding;
      const evidence = { curl: curl(url, finding), message: '', kind: 'response', number: 0 } as const;
      // Comes first: without a response, later findings prove little.
      const endsRun = !STATUS.test(found);
      return { at, expected, found, clause: reportClause(contract, own), endsRun, evidence };
    }),
    ...defined({ reason, remedy, failure: assessed?.failure }),
  };
}

const STATUS = /^\d{3}(,|$)/;

/** Forgeries of one kind have one cause, and so has whatever makes the endpoint fail. */
function toCauseKey(results: readonly ReceiverResult[]): CauseKey {
  const flaws = new Map(results.map(({ id, flaw = '' }) => [id, flaw]));
  return (finding, { id }) => {
    const isStatus = STATUS.test(finding.found) && !finding.found.startsWith('5');
    const parts = isStatus ? [toBreach(finding), flaws.get(id), shapeOfFinding(finding)] : [finding.found];
    return parts.join(' | ');
  };
}

function count(results: readonly ReceiverResult[], profile: Profile): string {
  const groups = Map.groupBy(results, ({ verdict }) => nameVerdict(verdict, profile));
  const counts = [...groups].map(([verdict, { length }]) => `${length} ${verdict}`);
  return `${results.length} checks: ${counts.join('; ')}`;
}

/** The request as a command. Timestamps are part of the signature, so it shows the same for 5 minutes. */
function curl(url: string, { sent }: ReceiverFinding): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `-H ${quote(headerText(name, value))}`);
  return ['curl -i', ...headers, `--data-binary ${quote(sent.body)}`, quote(url)].join(' ');
}

/** curl sends an empty header only if it ends with a semicolon. */
function headerText(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}
