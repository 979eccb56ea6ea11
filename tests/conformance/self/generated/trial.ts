/** One trial as a user runs the kit: every check with the default settings, judged by the exit code. */
import { DEFAULT_TIMEOUT_MS } from '../../../../conformance/src/core/settings.ts';
import { loadContract } from '../../../../conformance/src/document/contract.ts';
import { assess, EXIT_CODES } from '../../../../conformance/src/run/assess.ts';
import type { ConformanceOptions } from '../../../../conformance/src/run/options.ts';
import { createRules } from '../../../../conformance/src/run/rules.ts';
import { verifyService } from '../../../../conformance/src/run/verify.ts';
import { UserError } from '../../../../contract/src/cli.ts';
import type { Json } from '../../../../contract/src/model.ts';
import type { Alteration } from '../alteration.ts';
import { type Bench, onAltered } from '../trial.ts';
import { type Mutant, placeOfResponse, placeOfWebhook, type Recording, readSubject, type ShownBody } from './mutant.ts';
import type { Shown } from './places.ts';

export const ENDINGS = ['reported', 'not shown', 'passed', 'not exercised', 'kit failed'] as const;

/** The kit's result for a service; `not exercised` if the defect changed no message. */
export type Ending = (typeof ENDINGS)[number];

export interface Judged {
  readonly id: string;
  readonly ending: Ending;
  /** The first failure, or another reason for the result. */
  readonly because: string;
  /** Zero if no run was needed. */
  readonly ms: number;
  /** The kit reported an unchanged service. */
  readonly isFalseAlarm?: boolean;
}

const SEED = 7;
const BODIES_KEPT = 12;

const ENDING_OF: Readonly<Record<number, Ending>> = {
  [EXIT_CODES.conforms]: 'passed',
  [EXIT_CODES["doesn't conform"]]: 'reported',
  [EXIT_CODES.fault]: 'kit failed',
  [EXIT_CODES['not shown']]: 'not shown',
};

/** Tries a generated defect. An unchanged service says little about the kit, unless it is reported. */
export async function tryMutant(mutant: Mutant, bench: Bench, recording: Recording): Promise<Judged> {
  const { id, wouldShow } = mutant;
  if (wouldShow && !wouldShow(recording)) {
    return { id, ending: 'not exercised', because: 'the reference service never shows what it would alter', ms: 0 };
  }
  let altered = 0;
  const note = () => {
    altered += 1;
  };
  const judged = await tryByExitCode(id, () => mutant.alter(recording, note), bench);
  if (altered > 0) return judged;
  if (judged.ending !== 'passed') return { ...judged, isFalseAlarm: true };
  return { ...judged, ending: 'not exercised', because: 'nothing was altered' };
}

/** Findings that a machine which is busy with other work can cause. */
const LATE = /found (no response within|the service stopped responding|no webhook came here)/;
const TRIES_MAX = 3;
/** Multiple of the kit's default timeout for a repeated run. */
const SLOWER = 3;

/**
 * Runs the whole kit on the altered service, up to the first check that decides the exit code. A run that ended because
 * something did not come in time is repeated with a longer timeout, so that it isn't the machine that is judged. The
 * time is that of the first run, with the default timeout.
 */
export async function tryByExitCode(
  id: string,
  alter: () => Alteration,
  bench: Bench,
  options: Partial<ConformanceOptions> = {},
): Promise<Judged> {
  const first = await tryOnce(id, alter(), bench, options);
  let judged = first;
  for (let tries = 1; judged.ending !== 'passed' && LATE.test(judged.because) && tries < TRIES_MAX; tries += 1) {
    judged = await tryOnce(id, alter(), bench, { ...options, timeoutMs: SLOWER * DEFAULT_TIMEOUT_MS });
  }
  return { ...judged, ms: first.ms };
}

async function tryOnce(
  id: string,
  alteration: Alteration,
  bench: Bench,
  options: Partial<ConformanceOptions>,
): Promise<Judged> {
  const startedAt = performance.now();
  const end = (ending: Ending, because: string): Judged => ({
    ...{ id, ending, because },
    ms: Math.round(performance.now() - startedAt),
  });
  try {
    const verification = await onAltered(alteration, bench, (service) =>
      verifyService({ ...service, seed: SEED, stopAtFirst: true, ...options }),
    );
    const assessment = assess(verification, createRules(loadContract(), options));
    return end(ENDING_OF[assessment.exitCode] ?? 'kit failed', explain(assessment));
  } catch (error) {
    if (!(error instanceof UserError)) return end('kit failed', (error as Error).stack ?? String(error));
    return end(ENDING_OF[error.exitCode] ?? 'kit failed', error.message);
  }
}

function explain({ results }: ReturnType<typeof assess>): string {
  const failing = results.filter(({ failure, verdict }) => failure !== undefined || verdict === 'fault');
  const first = failing.find(({ failure }) => failure !== 'not reached') ?? failing[0];
  if (!first) return 'conforms';
  const [finding] = first.findings;
  const detail = finding ? `${finding.at}: expected ${finding.expected}, found ${finding.found}` : first.reason;
  return `${first.id} (${detail?.split('\n')[0]})`;
}

/** Runs the kit on the reference service for another merchant, and records the values. */
export async function recordReference(bench: Bench): Promise<Recording> {
  const bodies: ShownBody[] = [];
  const keep = (place: Shown | undefined, body: Json | undefined, key: string) => {
    if (place && body !== undefined)
      bodies.push({ place, subject: readSubject(body, key), body: structuredClone(body) });
  };
  const { ending, because } = await tryByExitCode(
    'reference',
    () => ({
      response({ status, body }, { operation, headers }) {
        keep(placeOfResponse(operation, status, body), body, headers['authorization'] ?? '');
      },
      webhook({ body }) {
        keep(placeOfWebhook(body), body, '');
        return undefined;
      },
    }),
    bench,
  );
  if (ending !== 'passed') throw new Error(`the reference service did not pass: ${because}`);
  const byPlace = Map.groupBy(bodies, ({ place }) => place.id);
  const library = [...byPlace].map(([id, some]) => [id, some.slice(0, BODIES_KEPT).map(({ body }) => body)]);
  return { bodies, library: Object.fromEntries(library) };
}
