/** Test customers, whose ID selects the response of a creation. The sandbox has the same ones. */
import type { Bundle, Operation } from '../model.ts';

/** Beginnings of test customers' IDs. An ID with one that isn't in the list is a mistake. */
export const RESERVED_PREFIXES: readonly string[] = ['succeed-', 'stop-', 'open-', 'clarify-', 'decline-', 'manual-'];

/** A new payment needs data or a confirmation in the host-to-host flow only. */
const EXTRA_DATA = 'EXTRA_DATA_NEEDED';
const CONFIRMATION = 'PAY_CONFIRMATION_NEEDED';

/** The example that a test customer selects: the lasting status of the sandbox's transaction, or its decline. */
export function parseExampleName(customer: string): string | undefined {
  const [, kind, value] = /^(stop|open|decline)-([A-Z_]+)$/.exec(customer) ?? [];
  if (kind) return kind === 'decline' ? `declined-${value}` : value;
  return /^(clarify-[a-z_]+|decline-clarified-[A-Z_]+)$/.test(customer) ? EXTRA_DATA : undefined;
}

/** Whether a customer's transaction can only be host-to-host. */
export function isHostToHost(customer: string): boolean {
  return [EXTRA_DATA, CONFIRMATION].includes(parseExampleName(customer) ?? '');
}

/** The test customers of a creation. `names` are its examples; a customer without an example gets the usual one. */
export function listCustomers(bundle: Bundle, operation: Operation, names: readonly string[]): string[] {
  const machine = Object.values(bundle['x-state-machines']).find(({ transitions }) =>
    transitions.some(({ from, by }) => from === null && by === operation.id),
  );
  const statuses = Object.entries(machine?.states ?? {}).filter(([, { final }]) => !final);
  const reasons = names.flatMap((name) => /^declined-(.+)/.exec(name)?.[1] ?? []);
  const items = bundle.components.schemas['DataItemName']?.anyOf?.flatMap(({ enum: values = [] }) => values) ?? [];
  const canAsk = names.includes(EXTRA_DATA);
  return [
    ...['succeed', 'succeed-later', 'manual'],
    ...statuses.map(([status]) => `stop-${status}`),
    ...(names.includes(CONFIRMATION) ? [`open-${CONFIRMATION}`] : []),
    ...(canAsk ? items.map((item) => `clarify-${item}`) : []),
    ...reasons.map((reason) => `decline-${reason}`),
    ...(canAsk ? reasons.map((reason) => `decline-clarified-${reason}`) : []),
    ...reasons.map((reason) => `decline-late-${reason}`),
  ];
}
