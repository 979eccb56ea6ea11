/** A whole run against a webhook endpoint: from the options to the results. */
import { UserError } from '../../../contract/src/cli.ts';
import { NotReached, verdictOf } from '../core/finding.ts';
import { requireSecret } from '../core/settings.ts';
import { loadContract } from '../document/contract.ts';
import { isSuccess, newScene, type ReceiverCheck, type ReceiverContext, type ReceiverResult } from './check.ts';
import { receiverChecks, validDelivery } from './checks.ts';
import { type Endpoint, openEndpoint, type Reply } from './endpoint.ts';

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
/** After so many in a row the endpoint is taken to hang, and the rest is left out. */
const LATE_MAX = 2;

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
  let open = isSuccess(first);
  const isOpen = async () => {
    // The first event can have come while the endpoint was still starting.
    open ||= isSuccess(await watched.endpoint.deliver(validDelivery(contract, scene())));
    return open;
  };
  const context: ReceiverContext = { contract, endpoint: watched.endpoint, scene, isOpen };
  const results: ReceiverResult[] = [];
  for (const check of checks) {
    const result = await runCheck(context, check, watched.isHanging());
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runCheck(
  context: ReceiverContext,
  { run, ...check }: ReceiverCheck,
  isHanging: boolean,
): Promise<ReceiverResult> {
  try {
    if (isHanging) throw new NotReached(`the endpoint gave no response ${LATE_MAX} times in a row`, 'respond first');
    const findings = await run(context);
    return { ...check, verdict: verdictOf(findings), findings };
  } catch (error) {
    if (error instanceof NotReached) {
      return { ...check, verdict: 'not reached', findings: [], reason: error.message, remedy: error.remedy };
    }
    return { ...check, verdict: 'fault', findings: [], reason: (error as Error).stack ?? String(error) };
  }
}

/** The endpoint, and whether it has hung in its last deliveries. */
function watch({ deliver }: Endpoint): { endpoint: Endpoint; isHanging: () => boolean } {
  let late = 0;
  const note = (reply: Reply): Reply => {
    late = reply.late ? late + 1 : 0;
    return reply;
  };
  return {
    endpoint: { deliver: async (delivery, pace) => note(await deliver(delivery, pace)) },
    isHanging: () => late >= LATE_MAX,
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
