/**
 * The strict form of the contract, for senders: this kit's services send exact messages, while the published schemas
 * accept everything that the source allows. It is derived from the same document: every object is closed, the keywords
 * under `x-sender` apply as well, and `tolerated` transitions are excluded.
 */
import type { Bundle, Json, JsonObject, StateMachine } from './model.ts';

/** A copy of the document in its strict form. */
export function senderForm(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  for (const part of [copy.paths, copy.webhooks, copy.components]) tighten(part as unknown as Json);
  for (const [kind, machine] of Object.entries(copy['x-state-machines'])) {
    copy['x-state-machines'][kind] = takenBySender(machine);
  }
  return copy;
}

/** The machine without the moves that only readers need to accept. */
export function takenBySender({ transitions, ...machine }: StateMachine): StateMachine {
  return { ...machine, transitions: transitions.filter(({ tolerated }) => !tolerated) };
}

/** A part of `allOf` is not closed on its own: it would reject the properties of its siblings. */
function tighten(node: Json, isPart = false): void {
  if (Array.isArray(node)) for (const item of node) tighten(item);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [key, value] of Object.entries(node)) {
    // Examples are data and contain no schemas.
    if (key === 'allOf') for (const part of value as Json[]) tighten(part, true);
    else if (key !== 'examples') tighten(value);
  }
  const isOpen = node['properties'] && !node['allOf'] && node['additionalProperties'] === undefined;
  if (node['type'] === 'object' && isOpen && !isPart) {
    node['additionalProperties'] = false;
  }
  const { required, ...others } = (node['x-sender'] ?? {}) as JsonObject;
  Object.assign(node, others);
  if (Array.isArray(required)) node['required'] = [...((node['required'] ?? []) as Json[]), ...required];
  else if (required !== undefined) node['required'] = required;
}
