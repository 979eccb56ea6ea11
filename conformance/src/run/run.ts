/** Runs the checks phase by phase, concurrently where they don't affect each other. */
import { randomBytes } from 'node:crypto';
import type { Check, Context, CoveredPart, Phase, Result } from '../core/check.ts';
import { type Finding, NotReached, toVerdict } from '../core/finding.ts';
import { Fixtures, type SharedFixtures, sharedFixtures } from '../core/fixtures.ts';
import { judgeResponse } from '../core/judge.ts';
import type { Settings } from '../core/settings.ts';
import { CreationRefused } from '../core/transactions.ts';
import { untilTransactionsEnd } from '../core/wallet.ts';
import { type Contract, findSuccess } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import { BudgetExceeded, type ServiceConnection } from '../service/connection.ts';
import { type Journal, NoHttpResponse } from '../service/exchange.ts';
import { type SentRequest, ServiceGone } from '../service/liveness.ts';

export interface CheckRun {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly driver: Driver;
  readonly connection: ServiceConnection;
  readonly receiver: Receiver;
  readonly journal: Journal;
  /** Ends the run: no further check starts, and the results leave out checks in progress. */
  readonly stop: AbortSignal;
}

export interface Observer {
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: Result) => void;
}

/** Phases whose checks compare wallets. */
const OF_WALLETS = ['money', 'walks', 'wallets'] as const satisfies readonly Phase[];

/** Checks of any other phase that run at the same time. */
const CONCURRENT: Readonly<Record<Exclude<Phase, (typeof OF_WALLETS)[number]>, number>> = {
  background: 100,
  parallel: 24,
  end: 1,
};

/** Runs every check and resolves with the results in the order of the checks. */
export async function runChecks(run: CheckRun, checks: readonly Check[], { onStart, onResult }: Observer = {}) {
  const results = new Map<Check, Result>();
  const shared = sharedFixtures(run.settings);
  let reporter: string | undefined;
  const findReporter = ({ check }: SentRequest, noticing: Check): string => {
    const sender = checks.find(({ id }) => id === check);
    reporter ??= sender && !results.has(sender) ? sender.id : noticing.id;
    return reporter;
  };
  const inPhase = (phase: Phase) => checks.filter((check) => check.phase === phase);
  const runInTurn = async (waiting: Iterable<Check>, before: (check: Check) => Promise<unknown> = async () => {}) => {
    for (const check of waiting) {
      if (run.stop.aborted) return;
      await before(check);
      onStart?.(check);
      const result = await runCheck(run, check, shared, findReporter);
      if (run.stop.aborted) return;
      results.set(check, result);
      onResult?.(result);
    }
  };
  const runPhase = async (phase: keyof typeof CONCURRENT) => {
    const waiting = payoutsLast(inPhase(phase)).values();
    await Promise.all(Array.from({ length: CONCURRENT[phase] }, () => runInTurn(waiting)));
  };
  const runWalletChecks = async (currency: string, ofWallet: readonly Check[]) => {
    let phase: Phase | undefined;
    await runInTurn(ofWallet, async (check) => {
      if (check.phase === phase) return;
      phase = check.phase;
      await untilTransactionsEnd(createTools(run, 'moving', shared), shared, run.journal, currency).catch(
        () => undefined,
      );
    });
  };
  const runPhases = async () => {
    const funding = checks.some(isOfPayouts) ? fund(run, shared) : undefined;
    const background = runPhase('background');
    await runPhase('parallel');
    // A wallet that moves for another reason while it is compared would look like a violation. Each wait has its time limit.
    await funding;
    await Promise.allSettled(shared.driving);
    // While payouts are checked, payments settle. The last check of a wallet empties it.
    const inOrder = payoutsLast(OF_WALLETS.flatMap(inPhase));
    const byWallet = Map.groupBy(inOrder, (check) => findWallet(check, run.driver));
    await Promise.all([...byWallet].map(([currency, ofWallet]) => runWalletChecks(currency, ofWallet)));
    await background;
    await runPhase('end');
  };
  const stopped = new Promise((resolve) => run.stop.addEventListener('abort', resolve));
  await Promise.race([runPhases(), stopped]);
  return checks.flatMap((check) => results.get(check) ?? []);
}

/** Payouts wait until the wallet has been filled, which takes a service as long as it takes to settle payments. */
async function fund(run: CheckRun, shared: SharedFixtures): Promise<void> {
  const { fixtures } = createTools(run, 'funding', shared);
  await fixtures.reach({ until: 'SUCCESS' }).catch(() => undefined);
}

/** The wallet that a check compares, by its currency. Movements in other wallets don't disturb it. */
function findWallet({ walletOf }: Check, driver: Driver): string {
  try {
    return walletOf?.(driver) ?? '';
  } catch {
    // The check finds the driver's error itself.
    return '';
  }
}

function payoutsLast(checks: readonly Check[]): Check[] {
  return [...checks.filter((check) => !isOfPayouts(check)), ...checks.filter(isOfPayouts)];
}

function isOfPayouts({ partOf, needs = [] }: Check): boolean {
  return partOf.includes('payouts') || needs.includes('payouts');
}

export function createTools(
  run: Omit<CheckRun, 'stop'>,
  check: string,
  shared: SharedFixtures,
): Omit<Context, 'journal' | 'cover'> {
  const { contract, settings, driver, connection, receiver } = run;
  const tools = {
    ...{ contract, settings, driver, receiver },
    access: {
      baseUrl: settings.baseUrl,
      key: settings.key,
      fetch: (...given: Parameters<typeof fetch>) => connection.fetch(...given),
    },
    sendTogether: (calls: Parameters<ServiceConnection['sendTogether']>[0]) => connection.sendTogether(calls, check),
    send: (call: Parameters<ServiceConnection['send']>[0]) => connection.send(call, check),
    orderId: () => `kit-${settings.runId}-${randomBytes(6).toString('hex')}`,
  };
  return { ...tools, fixtures: new Fixtures(tools, shared) };
}

/**
 * Names the check that reports that the service has stopped: the sender of the last request, or else the first check
 * that notices.
 */
type FindReporter = (after: SentRequest, noticing: Check) => string;

async function runCheck(
  run: CheckRun,
  whole: Check,
  shared: SharedFixtures,
  reporterOf: FindReporter,
): Promise<Result> {
  const { run: judge, walletOf: _wallet, covers = [], mayCover: _parts, ...check } = whole;
  const covered: CoveredPart[] = [];
  const context: Context = {
    ...createTools(run, check.id, shared),
    journal: run.journal,
    cover: (...part) => void covered.push(part),
  };
  const startedAt = performance.now();
  const end = (rest: Pick<Result, 'verdict' | 'findings'> & Partial<Result>): Result => ({
    ...check,
    ...rest,
    covered: rest.verdict === 'not reached' || rest.verdict === 'fault' ? covered : [...covers, ...covered],
    ms: Math.round(performance.now() - startedAt),
  });
  try {
    const findings = distinct(await judge(context));
    return end({ verdict: toVerdict(findings), findings });
  } catch (error) {
    if (error instanceof NotReached) {
      // A creation that fails is a violation of its operation. For all others, it's why they were not reached.
      const isOwn = !(error instanceof CreationRefused) || error.creation.call.operation.id === check.operation;
      const findings = [...(isOwn ? error.findings : []), ...brokenRead(context, check, error)];
      if (findings.length > 0) return end({ verdict: toVerdict(findings), findings });
      return end({ verdict: 'not reached', findings: [], reason: error.message, remedy: error.remedy });
    }
    if (error instanceof BudgetExceeded) {
      return end({ verdict: 'not reached', findings: [], reason: error.message, remedy: error.remedy });
    }
    const reporter = error instanceof ServiceGone ? reporterOf(error.after, whole) : check.id;
    if (error instanceof ServiceGone && reporter !== check.id) {
      const remedy = `correct what ${reporter} shows first`;
      return end({ verdict: 'not reached', findings: [], reason: error.message, remedy });
    }
    if (error instanceof NoHttpResponse || error instanceof ServiceGone) {
      const endsRun = error instanceof ServiceGone;
      const { operation } = endsRun ? error.after.call : error.call;
      const clause = context.contract.clause(operation.pointer);
      const findings = [{ at: operation.id, expected: 'an HTTP response', found: error.message, clause, endsRun }];
      return end({ verdict: toVerdict(findings), findings });
    }
    return end({ verdict: 'fault', findings: [], reason: (error as Error).stack ?? String(error) });
  }
}

/** A check of a read operation that ended early with an invalid response has found a violation. */
function brokenRead({ contract }: Context, { operation }: Omit<Check, 'run'>, { exchange }: NotReached): Finding[] {
  if (!exchange || exchange.call.operation.id !== operation) return [];
  return judgeResponse(contract, exchange, findSuccess(exchange.call.operation).status);
}

/** The schema and the echo often report one location; the first finding is the clearest. */
function distinct(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.exchange?.number ?? ''} ${finding.delivery?.number ?? ''} ${finding.at}`;
    if (!kept.has(key)) kept.set(key, finding);
  }
  return [...kept.values()];
}
