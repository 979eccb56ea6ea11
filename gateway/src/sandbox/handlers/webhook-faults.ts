/** Rules by which webhooks go wrong. */
import type { WebhookFaultList, WebhookFaultRequest, WebhookFaultRule } from '../../../../generated/sandbox/types.ts';
import { type BodyViolation, invalid, ProblemError } from '../../http/problems.ts';
import { milliseconds } from '../../management/duration.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';
import { activeWebhookFaults, type SandboxSettings } from '../settings.ts';
import { withoutWebhookFaults } from '../webhook-faults.ts';
import { RULES_MAX, requireRoom } from './rules.ts';

const DELAY_MS = 5_000;
const DELAY_MS_MAX = 24 * 60 * 60_000;

export async function listWebhookFaults(
  { sandboxState }: SandboxServices,
  { merchant }: SandboxCall,
): Promise<WebhookFaultList> {
  return { data: activeWebhookFaults(sandboxState.of(merchant.id)) };
}

export async function addWebhookFault(
  { sandboxState, ids }: SandboxServices,
  { merchant, body }: SandboxCall<WebhookFaultRequest>,
): Promise<WebhookFaultRule> {
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
}

export async function clearWebhookFaults(
  { sandboxState, wake }: SandboxServices,
  { merchant }: SandboxCall,
): Promise<undefined> {
  await sandboxState.change(merchant.id, (settings, db) =>
    withoutWebhookFaults(settings, () => true, db, sandboxState.storeNow()),
  );
  wake();
}

export async function removeWebhookFault(
  { sandboxState, wake }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { rule_id: string }>,
): Promise<undefined> {
  const { rule_id: ruleId } = parameters;
  await sandboxState.change(merchant.id, (settings, db) => {
    if (!activeWebhookFaults(settings).some(({ id }) => id === ruleId)) throw unknownRule(ruleId);
    return withoutWebhookFaults(settings, ({ id }) => id === ruleId, db, sandboxState.storeNow());
  });
  wake();
}

/** The rules, without the oldest ended ones above the limit. */
function withRoom(settings: SandboxSettings): readonly WebhookFaultRule[] {
  const { webhookFaults = [] } = settings;
  const surplus = webhookFaults.length + 1 - 2 * RULES_MAX;
  const ended = webhookFaults.filter((rule) => rule.events_left === 0).slice(0, Math.max(surplus, 0));
  return webhookFaults.filter((rule) => !ended.includes(rule));
}

function parseDelay({ fault, delay, attempts }: WebhookFaultRequest): number | undefined {
  const waits = fault === 'delay' || fault === 'reorder';
  const violations: BodyViolation[] = [];
  if (waits && attempts !== undefined) violations.push({ pointer: '/attempts', message: `does not apply to ${fault}` });
  if (fault !== 'delay' && delay !== undefined)
    violations.push({ pointer: '/delay', message: 'applies to delay only' });
  const delayMs = delay === undefined ? DELAY_MS : milliseconds(delay);
  if (delayMs > DELAY_MS_MAX) violations.push({ pointer: '/delay', message: 'must be at most 1d' });
  if (violations.length > 0) throw invalid(violations);
  return fault === 'delay' ? delayMs : undefined;
}

function parseOrigin(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw invalid([{ pointer: '/address', message: 'must begin with `http://` or `https://`' }]);
}

function unknownRule(id: string): ProblemError {
  return new ProblemError('not-found', `There is no active rule ${id}. GET /sandbox/webhook-faults lists them.`);
}
