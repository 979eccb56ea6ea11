/** A whole run against a webhook endpoint: from the options to the results. */
import { UserError } from '../../../contract/src/cli.ts';
import { NotReached, toVerdict } from '../core/finding.ts';
import { type Level, type Profile, requireSecret } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import { type Assessment, assess } from '../run/assess.ts';
import { isAccepted, newScene, type ReceiverCheck, type ReceiverContext, type ReceiverResult } from './check.ts';
import { receiverChecks, validDelivery } from './checks.ts';
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
export async function verifyReceiver(
  options: ReceiverOptions,
  onResult: (result: ReceiverResult) => void = () => {},
): Promise<ReceiverResult[]> {
  const { secret, order, headers = {}, timeoutMs = RECEIVER_TIMEOUT_MS } = options;
  requireSecret(secret);
  const contract = loadContract();
  const checks = select(receiverChecks(contract), options.only);
  const watched = watch(openEndpoint({ url: readUrl(options.url), headers, timeoutMs }));
  const scene = () => newScene(secret, order);
  const first = await watched.endpoint.deliver(validDelivery(contract, scene()));
  if (first.status === undefined && !first.late) {
    throw new UserError(`No response from ${options.url}: ${first.failure}. Is the endpoint running there?`);
  }
  let open = isAccepted(first);
  const isOpen = async () => {
    // The first event can have come while the endpoint was still starting.
    open ||= isAccepted(await watched.endpoint.deliver(validDelivery(contract, scene())));
    return open;
  };
  const context: ReceiverContext = { contract, endpoint: watched.endpoint, scene, isOpen };
  const results: ReceiverResult[] = [];
  for (const check of checks) {
    const result = await runCheck(context, check, watched.silence());
    watched.noteCheck(check.id);
    results.push(result);
    onResult(result);
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

interface Watched {
  readonly endpoint: WebhookEndpoint;
  /** Names the check whose deliveries were the last. */
  noteCheck(id: string): void;
  /** Says since when the endpoint gives no response; undefined if it does. */
  silence(): string | undefined;
}

function watch({ deliver }: WebhookEndpoint): Watched {
  let silent = 0;
  let since: string | undefined;
  return {
    endpoint: {
      async deliver(delivery, pace) {
        const reply = await deliver(delivery, pace);
        // A truncated delivery gets no response.
        if (pace !== 'cut') silent = reply.status === undefined ? silent + 1 : 0;
        return reply;
      },
    },
    noteCheck(id) {
      since = silent === 0 ? undefined : (since ?? id);
    },
    silence: () => (silent >= SILENT_MAX ? `the endpoint gave no response any more since ${since}` : undefined),
  };
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
