/** Conditions of machines and services under which a valid service must pass. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ConformanceOptions } from '../../../conformance/src/core/settings.ts';
import {
  type Assessed,
  type Assessment,
  assess,
  EXIT_CODES,
  type RunOutcome,
} from '../../../conformance/src/run/assess.ts';
import { createRules } from '../../../conformance/src/run/rules.ts';
import { verifyService } from '../../../conformance/src/run/verify.ts';
import type { Alteration, Outgoing } from './alteration.ts';
import { json } from './defects/build.ts';
import { type OpenStore, startReference } from './reference.ts';
import { onAltered } from './trial.ts';
import { pause } from './variations/build.ts';

export interface Condition {
  readonly id: string;
  readonly title: string;
  /** Alters the service. */
  readonly alter?: () => Alteration;
  /** Milliseconds from SUCCESS to available. Defaults to the sandbox's. */
  readonly settlementMs?: number;
  /** Whether other programs keep every core busy. */
  readonly isBusy?: boolean;
  /** Expected outcomes. Defaults to `conforms`. If a level is not shown, each reason has to name --timeout. */
  readonly outcomes?: readonly RunOutcome[];
  /** Milliseconds that the run may take. Defaults to no limit. */
  readonly msMax?: number;
  /** Checks that may be not reached, by the beginnings of their ids. */
  readonly notReached?: readonly string[];
}

export interface ConditionOutcome {
  readonly id: string;
  readonly passed: boolean;
  readonly exitCode: number;
  readonly ms: number;
  /** Repeats the run's walks and texts. */
  readonly seed: number;
  /** Checks that don't conform. */
  readonly others: readonly Other[];
}

interface Other {
  readonly check: string;
  readonly verdict: string;
  /** The finding, or the reason and the remedy. */
  readonly detail: string;
}

/** The retry of an unanswered webhook takes longer than the default timeout, and other retries come too soon to compare. */
const ALWAYS = ['webhook/retry/no-reply', 'webhook/retry-timestamp'];
/** Payouts need settled money. */
const OF_PAYOUTS = [
  ...['money/payout', 'replay/getPayout', 'repeat/payout', 'state/payout', 'transition/payout', 'decline/payout'],
  ...['bad-input', 'consistency/payout', 'isolation', 'lookup', 'amount', 'text', 'wallet', 'webhook'],
];
const EXTRA_MS = 1_000;
const REQUESTS_PER_SECOND = 60;
const FEW = 15;
const DAYS_MS = 30 * 86_400_000;

export const CONDITIONS: readonly Condition[] = [
  { id: 'busy', title: 'other programs keep every core busy', isBusy: true },
  { id: 'slow', title: 'every request and every webhook takes a second more', alter: slowed },
  { id: 'rate-limit', title: `more than ${REQUESTS_PER_SECOND} requests in a second get 429`, alter: limited },
  { id: 'few-refused', title: `every ${FEW}th request gets 429`, alter: fewRefused, msMax: 60_000 },
  {
    id: 'settlement-late',
    title: 'money is available 20 s after a payment',
    settlementMs: 20_000,
    outcomes: ['conforms', 'not shown'],
    notReached: OF_PAYOUTS,
  },
  {
    id: 'settlement-never',
    title: 'money is available days after a payment',
    settlementMs: DAYS_MS,
    outcomes: ['not shown'],
    notReached: OF_PAYOUTS,
  },
];

function slowed(): Alteration {
  return {
    async request() {
      await pause(EXTRA_MS);
    },
    webhook(webhook) {
      webhook.delayMs += EXTRA_MS;
      webhook.replyMs += EXTRA_MS;
    },
  };
}

/** Counts in seconds of the clock, for all keys together. */
function limited(): Alteration {
  let second = 0;
  let requests = 0;
  return {
    request() {
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) [second, requests] = [now, 0];
      requests += 1;
      return requests <= REQUESTS_PER_SECOND ? undefined : refusal();
    },
  };
}

/** Refuses a share of the requests, however slowly they come. */
function fewRefused(): Alteration {
  let requests = 0;
  return {
    request() {
      requests += 1;
      return requests % FEW === 0 ? refusal() : undefined;
    },
  };
}

function refusal(): Outgoing {
  const response = json(429, { type: 'about:blank', title: 'Too many requests', status: 429 });
  return { ...response, headers: { ...response.headers, 'retry-after': '1' } };
}

/** Runs the kit once, at its default settings, against a valid gateway under the condition. */
export async function runUnder(
  condition: Condition,
  open: OpenStore,
  options: Partial<ConformanceOptions> = {},
): Promise<ConditionOutcome> {
  const { settlementMs } = condition;
  const alteration = { ...condition.alter?.(), ...(settlementMs !== undefined && { settlementMs }) };
  const shared = await startReference(open, { sandbox: true });
  const load = condition.isBusy ? keepBusy() : undefined;
  try {
    const verification = await onAltered(alteration, { shared, open }, (service) =>
      verifyService({ ...service, driver: 'gateway', ...options }),
    );
    const assessment = assess(verification, createRules(verification.contract, {}));
    const { ms, settings } = verification;
    const { passed, ...rest } = judge(condition, assessment);
    const { msMax = Number.POSITIVE_INFINITY } = condition;
    return { id: condition.id, ...rest, passed: passed && ms <= msMax, ms, seed: settings.seed };
  } finally {
    await load?.end();
    await shared.close();
  }
}

function judge(
  condition: Condition,
  { results, exitCode, outcome }: Assessment,
): Pick<ConditionOutcome, 'passed' | 'exitCode' | 'others'> {
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  const { outcomes = ['conforms'] } = condition;
  const passed =
    outcomes.some((one) => one === outcome && EXIT_CODES[one] === exitCode) &&
    others.every((one) => isAllowed(condition, one));
  return { passed, exitCode, others: others.map(describe) };
}

/** A check that a level needs has to say that --timeout helps. */
function isAllowed({ notReached = [] }: Condition, { id, verdict, failure, remedy = '' }: Assessed): boolean {
  if (verdict !== 'not reached' || (failure !== undefined && !remedy.includes('--timeout'))) return false;
  return [...ALWAYS, ...notReached].some((prefix) => id === prefix || id.startsWith(`${prefix}/`));
}

function describe({ id, verdict, reason, remedy, findings: [first] }: Assessed): Other {
  const detail = first ? `${first.at}: expected ${first.expected}, found ${first.found}` : `${reason}; ${remedy}`;
  return { check: id, verdict, detail: detail.split('\n')[0] ?? '' };
}

function keepBusy(): { end(): Promise<void> } {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }));
  return {
    async end() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
