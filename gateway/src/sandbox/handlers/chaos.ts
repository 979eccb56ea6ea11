/** Rules by which requests go wrong. */

import { operations } from '../../../../contract/src/model.ts';
import type { ChaosList, ChaosRequest, ChaosRule } from '../../../../generated/sandbox/types.ts';
import { type BodyViolation, invalid, ProblemError } from '../../http/problems.ts';
import { milliseconds } from '../../management/duration.ts';
import { timestamp } from '../../transactions/view.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { activeChaos } from '../settings.ts';
import { requireRoom } from './rules.ts';

const LATENCY = '2s';
const LATENCY_MS_MAX = 60_000;
/** Default duration of a rule without an end, and the maximum of any rule. */
const LASTS = '1h';
const LASTS_MAX = '1d';
const WITH_RETRY_AFTER = ['rate_limited', 'unavailable'];
const RETRY_AFTER_SECONDS = 1;
const SEED_MAX = 2 ** 32;

export async function listChaos({ sandboxState }: SandboxServices, { merchant }: SandboxCall): Promise<ChaosList> {
  return { data: activeChaos(sandboxState.of(merchant.id), sandboxState.at(merchant.id).now) };
}

export async function addChaos(
  { sandboxState, bundle, ids }: SandboxServices,
  { merchant, body }: SandboxCall<ChaosRequest>,
): Promise<ChaosRule> {
  const violations = listViolations(
    body,
    operations(bundle).map(({ id }) => id),
  );
  if (violations.length > 0) throw invalid(violations);
  const { now } = sandboxState.at(merchant.id);
  const id = ids.newId('rul', now, merchant.id, ids.count());
  // Without a seed each rule selects other requests, and says which seed selects the same ones again.
  const seed = body.seed ?? Math.floor(ids.fraction('chaos', id) * SEED_MAX);
  const rule = createRule(id, { ...body, seed }, now);
  await sandboxState.change(merchant.id, (settings) => {
    const active = activeChaos(settings, now);
    requireRoom(active.length, '/sandbox/chaos');
    return { ...settings, chaos: [...active, rule] };
  });
  return rule;
}

export async function clearChaos({ sandboxState }: SandboxServices, { merchant }: SandboxCall): Promise<undefined> {
  await sandboxState.change(merchant.id, (settings) => ({ ...settings, chaos: [] }));
}

export async function removeChaos(
  { sandboxState }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { rule_id: string }>,
): Promise<undefined> {
  const { rule_id: ruleId } = parameters;
  await sandboxState.change(merchant.id, (settings) => {
    const active = activeChaos(settings, sandboxState.at(merchant.id).now);
    const chaos = active.filter(({ id }) => id !== ruleId);
    if (chaos.length === active.length) {
      throw new ProblemError('not-found', `There is no active rule ${ruleId}. GET /sandbox/chaos lists them.`);
    }
    return { ...settings, chaos };
  });
}

function createRule(id: string, body: ChaosRequest, now: number): ChaosRule {
  const { fault, operation, latency = LATENCY, retry_after = RETRY_AFTER_SECONDS, rate = 1, requests, seed } = body;
  const lasts = milliseconds(body.for ?? (requests === undefined ? LASTS : LASTS_MAX));
  return {
    id,
    fault,
    ...(operation !== undefined && { operation }),
    ...(fault === 'slow' && { latency_ms: milliseconds(latency) }),
    ...(WITH_RETRY_AFTER.includes(fault) && { retry_after }),
    rate,
    ...(rate < 1 && seed !== undefined && { seed }),
    ...(requests !== undefined && { requests_left: requests }),
    ends_at: timestamp(now + lasts),
  };
}

function listViolations(
  { fault, operation, latency, retry_after, for: lasts }: ChaosRequest,
  known: readonly string[],
) {
  const violations: BodyViolation[] = [];
  if (operation !== undefined && !known.includes(operation)) {
    violations.push({ pointer: '/operation', message: `must be one of ${known.join(', ')}` });
  }
  if (latency !== undefined && fault !== 'slow') {
    violations.push({ pointer: '/latency', message: 'applies to slow only' });
  }
  if (latency !== undefined && milliseconds(latency) > LATENCY_MS_MAX) {
    violations.push({ pointer: '/latency', message: 'must be at most 60s' });
  }
  if (retry_after !== undefined && !WITH_RETRY_AFTER.includes(fault)) {
    violations.push({ pointer: '/retry_after', message: `applies to ${WITH_RETRY_AFTER.join(' and ')} only` });
  }
  if (lasts !== undefined && milliseconds(lasts) > milliseconds(LASTS_MAX)) {
    violations.push({ pointer: '/for', message: `must be at most ${LASTS_MAX}` });
  }
  return violations;
}
