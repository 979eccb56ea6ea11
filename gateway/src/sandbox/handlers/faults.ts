/** Rules for faults of requests and webhooks. */
import { operations } from '../../../../contract/src/model.ts';
import type {
  ChaosRequest,
  ChaosRule,
  WebhookFaultRequest,
  WebhookFaultRule,
} from '../../../../generated/sandbox/types.ts';
import { type BodyViolation, invalid, ProblemError } from '../../http/problems.ts';
import { milliseconds } from '../../management/parameters.ts';
import { timestamp } from '../../transactions/view.ts';
import type { SandboxOperation } from '../operation.ts';
import { activeChaos, activeWebhookFaults, type SandboxSettings } from '../settings.ts';
import { withoutWebhookFaults } from '../webhook-faults.ts';

const LATENCY = '2s';
const LATENCY_MS_MAX = 60_000;
/** Default duration of a rule without an end, and the maximum of any rule. */
const LASTS = '1h';
const LASTS_MAX = '1d';
const WITH_RETRY_AFTER = ['rate_limited', 'unavailable'];
const RETRY_AFTER_SECONDS = 1;
const SEED_MAX = 2 ** 32;

export const listChaos: SandboxOperation<'listChaos'> = async ({ sandboxState }, { merchant }) => ({
  data: activeChaos(sandboxState.of(merchant.id), sandboxState.at(merchant.id).now),
});

export const addChaos: SandboxOperation<'addChaos'> = async ({ sandboxState, bundle, ids }, { merchant, body }) => {
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
};

export const clearChaos: SandboxOperation<'clearChaos'> = async ({ sandboxState }, { merchant }) => {
  await sandboxState.change(merchant.id, (settings) => ({ ...settings, chaos: [] }));
};

export const removeChaos: SandboxOperation<'removeChaos'> = async ({ sandboxState }, { merchant, parameters }) => {
  const { rule_id: ruleId } = parameters;
  await sandboxState.change(merchant.id, (settings) => {
    const active = activeChaos(settings, sandboxState.at(merchant.id).now);
    requireRule(active, ruleId, '/sandbox/chaos');
    return { ...settings, chaos: active.filter(({ id }) => id !== ruleId) };
  });
};

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
  return listRefused([
    [operation !== undefined && !known.includes(operation), '/operation', `must be one of ${known.join(', ')}`],
    [latency !== undefined && fault !== 'slow', '/latency', 'applies to slow only'],
    [latency !== undefined && milliseconds(latency) > LATENCY_MS_MAX, '/latency', 'must be at most 60s'],
    [
      retry_after !== undefined && !WITH_RETRY_AFTER.includes(fault),
      '/retry_after',
      `applies to ${WITH_RETRY_AFTER.join(' and ')} only`,
    ],
    [lasts !== undefined && milliseconds(lasts) > milliseconds(LASTS_MAX), '/for', `must be at most ${LASTS_MAX}`],
  ]);
}

type Rule = readonly [isRefused: boolean, pointer: string, message: string];

function listRefused(rules: readonly Rule[]): BodyViolation[] {
  return rules.flatMap(([isRefused, pointer, message]) => (isRefused ? [{ pointer, message }] : []));
}

const DELAY_MS = 5_000;
const DELAY_MS_MAX = 24 * 60 * 60_000;

export const listWebhookFaults: SandboxOperation<'listWebhookFaults'> = async ({ sandboxState }, { merchant }) => ({
  data: activeWebhookFaults(sandboxState.of(merchant.id)),
});

export const addWebhookFault: SandboxOperation<'addWebhookFault'> = async (
  { sandboxState, ids },
  { merchant, body },
) => {
  const { fault, transaction_id, attempts = 1, events } = body;
  const address = parseOrigin(body.address);
  const delayMs = parseDelay(body);
  const rule: WebhookFaultRule = {
    id: ids.newId('rul', sandboxState.at(merchant.id).now, merchant.id, ids.count()),
    fault,
    attempts,
    ...(address !== undefined && { address }),
    ...(transaction_id !== undefined && { transaction_id }),
    ...(delayMs !== undefined && { delay_ms: delayMs }),
    ...(events !== undefined && { events_left: events }),
  };
  await sandboxState.change(merchant.id, (settings) => {
    requireRoom(activeWebhookFaults(settings).length, '/sandbox/webhook-faults');
    return { ...settings, webhookFaults: [...withRoom(settings), rule] };
  });
  return rule;
};

export const clearWebhookFaults: SandboxOperation<'clearWebhookFaults'> = async (
  { sandboxState, wake },
  { merchant },
) => {
  await sandboxState.change(merchant.id, (settings, db) =>
    withoutWebhookFaults(settings, () => true, db, sandboxState.storeNow()),
  );
  wake();
};

export const removeWebhookFault: SandboxOperation<'removeWebhookFault'> = async (
  { sandboxState, wake },
  { merchant, parameters },
) => {
  const { rule_id: ruleId } = parameters;
  await sandboxState.change(merchant.id, (settings, db) => {
    requireRule(activeWebhookFaults(settings), ruleId, '/sandbox/webhook-faults');
    return withoutWebhookFaults(settings, ({ id }) => id === ruleId, db, sandboxState.storeNow());
  });
  wake();
};

/** The rules, without the oldest ended ones above the limit. */
function withRoom(settings: SandboxSettings): readonly WebhookFaultRule[] {
  const { webhookFaults = [] } = settings;
  const surplus = webhookFaults.length + 1 - 2 * RULES_MAX;
  const ended = webhookFaults.filter((rule) => rule.events_left === 0).slice(0, Math.max(surplus, 0));
  return webhookFaults.filter((rule) => !ended.includes(rule));
}

function parseDelay({ fault, delay, attempts }: WebhookFaultRequest): number | undefined {
  const waits = fault === 'delay' || fault === 'reorder';
  const delayMs = delay === undefined ? DELAY_MS : milliseconds(delay);
  const violations = listRefused([
    [waits && attempts !== undefined, '/attempts', `does not apply to ${fault}`],
    [fault !== 'delay' && delay !== undefined, '/delay', 'applies to delay only'],
    [delayMs > DELAY_MS_MAX, '/delay', 'must be at most 1d'],
  ]);
  if (violations.length > 0) throw invalid(violations);
  return fault === 'delay' ? delayMs : undefined;
}

function parseOrigin(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw invalid([{ pointer: '/address', message: 'must begin with `http://` or `https://`' }]);
}

/** Throws if the rule is not among the active ones. */
function requireRule(active: readonly { readonly id: string }[], ruleId: string, path: string): void {
  if (active.some(({ id }) => id === ruleId)) return;
  throw new ProblemError('not-found', `There is no active rule ${ruleId}. GET ${path} lists them.`);
}

/** Active rules of one kind that a merchant can have. */
const RULES_MAX = 50;

/** Throws if there are as many rules as there can be. */
function requireRoom(rules: number, path: string): void {
  if (rules < RULES_MAX) return;
  throw new ProblemError(
    'wrong-state',
    `${RULES_MAX} rules are active, which is the most. Remove some: DELETE ${path}.`,
  );
}
