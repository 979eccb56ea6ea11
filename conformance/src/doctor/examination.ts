/** An examination: steps, one after the other, each of which is ok, a problem, or skipped. */
import { UserError } from '../../../contract/src/cli.ts';
import { NotReached } from '../core/finding.ts';
import type { Level, Settings } from '../core/settings.ts';
import type { TrackedTransaction } from '../core/tracked.ts';
import type { Contract } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { ConformanceOptions } from '../run/options.ts';
import { BudgetExceeded, type ServiceConnection } from '../service/connection.ts';
import { type Exchange, NoHttpResponse, type ServiceCall } from '../service/exchange.ts';
import type { Journal } from '../service/journal.ts';
import { ServiceGone } from '../service/liveness.ts';
import { timeoutWhileAwake } from '../time/awake.ts';

export type StepState = 'ok' | 'problem' | 'skipped';

export interface ExaminationStep {
  readonly name: string;
  readonly state: StepState;
  /** The result as a sentence. */
  readonly text: string;
  /** The next step for the reader. */
  readonly next?: string;
  /** The step that this one needs, and that isn't ok. */
  readonly blockedBy?: string;
}

/** Ends a step that found a problem. */
export class Problem extends Error {
  readonly next: string;
  constructor(text: string, next: string) {
    super(text);
    this.next = next;
  }
}

/** Skips the step. */
export class Skipped extends Error {
  readonly next: string | undefined;
  constructor(text: string, next?: string) {
    super(text);
    this.next = next;
  }
}

/** It takes no longer than `maxMs`, whatever its steps wait for. End it with `close`. */
export class Examination {
  readonly steps: ExaminationStep[] = [];
  readonly close: () => void;
  readonly #onStep: (step: ExaminationStep) => void;
  readonly #over = Promise.withResolvers<never>();
  #overText: string | undefined;

  constructor(maxMs: number, onStep: (step: ExaminationStep) => void) {
    this.#onStep = onStep;
    this.#over.promise.catch(() => undefined);
    this.close = timeoutWhileAwake(maxMs, () => {
      this.#overText = `The ${maxMs / 1_000} s of --max-time are over.`;
      this.#over.reject(new Problem(this.#overText, OVERTIME));
    });
  }

  get problems(): readonly ExaminationStep[] {
    return this.steps.filter(({ state }) => state === 'problem');
  }

  isOk(name: string): boolean {
    return this.steps.some((step) => step.name === name && step.state === 'ok');
  }

  add(step: ExaminationStep): void {
    this.steps.push(step);
    this.#onStep(step);
  }

  /** Runs the step, unless one of its dependencies failed. */
  async take(name: string, needs: readonly string[], examine: () => Promise<string>): Promise<void> {
    const lacking = needs.find((one) => !this.isOk(one));
    if (lacking !== undefined) {
      return this.add({ name, state: 'skipped', text: `It needs: ${lacking}.`, blockedBy: lacking });
    }
    if (this.#overText !== undefined) return this.add({ name, state: 'skipped', text: this.#overText });
    try {
      const text = await Promise.race([examine(), this.#over.promise]);
      this.add({ name, state: 'ok', text });
    } catch (error) {
      this.add({ name, ...toOutcome(error as Error) });
    }
  }
}

/** A response or a call of the driver never comes. */
const OVERTIME = 'Correct what it waited for, such as a request of the driver, or raise --max-time.';

function toOutcome(error: Error): Omit<ExaminationStep, 'name'> {
  const { message: text } = error;
  if (error instanceof Skipped)
    return { state: 'skipped', text, ...(error.next !== undefined && { next: error.next }) };
  if (error instanceof Problem) return { state: 'problem', text, next: error.next };
  if (error instanceof NotReached || error instanceof BudgetExceeded) {
    return { state: 'problem', text: asSentence(text), next: asSentence(error.remedy) };
  }
  // Its message ends with the next step.
  if (error instanceof UserError) return { state: 'problem', text };
  if (error instanceof NoHttpResponse || error instanceof ServiceGone) {
    return { state: 'problem', text: asSentence(text), next: 'Correct that first.' };
  }
  throw error;
}

/** The text with a capital letter at its start and a full stop. A name at its start, such as createPayment, is kept. */
export function asSentence(text: string): string {
  const begun = /^[a-z]+(\s|$)/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
  return /[.!?:`]$/.test(begun) ? begun : `${begun}.`;
}

export interface Setup {
  readonly contract: Contract;
  readonly settings: Settings;
  /** The chosen driver; `null` if it can't be loaded. */
  readonly chosen: ConformanceOptions['driver'] | null;
  readonly journal: Journal;
  readonly connection: ServiceConnection;
  readonly receiver: Receiver;
  readonly examination: Examination;
  /** Responses to the first requests. */
  probes: readonly Exchange[];
  driver?: Driver;
  /** Claimed levels for which the driver has no body. */
  readonly unsupported: Set<Level>;
  /** Transactions that the service created, whether or not they reached their goals. */
  readonly created: TrackedTransaction[];
}

/** The name under which the requests are in the journal. */
export const DOCTOR = 'doctor';

export function sendAsDoctor({ connection }: Setup, call: ServiceCall): Promise<Exchange> {
  return connection.send(call, DOCTOR);
}

/** Milliseconds as a reader takes them in: `35 ms`, `1.2 s`. */
export function readableDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
