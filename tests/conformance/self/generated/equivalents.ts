/**
 * Generated defects that a verifier has to let pass, each kind with the reason. People have reviewed every row; the
 * kit's verdict is never a reason.
 */
import type { Transition } from '../../../../contract/src/model.ts';
import type { TransactionKind } from '../../../../contract/src/reference-model.ts';
import { isError } from './faults.ts';
import type { Mutant } from './mutant.ts';
import { BUNDLE, PLACES } from './places.ts';

type Wrong = NonNullable<Mutant['wrong']>;
type Rule = NonNullable<Mutant['rule']>;

/** After these, the service is still valid by the document. */
const VALID: readonly [reason: string, holds: (wrong: Wrong) => boolean][] = [
  [
    'details and messages are for people, and can say anything',
    ({ field, fault, place }) => isText(field, isError(place)) && fault === 'other-value',
  ],
  [
    'the schema makes the member of a problem optional',
    ({ field, fault, place }) =>
      fault === 'dropped' &&
      isError(place) &&
      !field.isRequired &&
      // With 400, they list the violations (assumption `errors`).
      !(place.code === 400 && formatName(field) === 'violations'),
  ],
  [
    'the schema makes the field optional, and only our own service promises it',
    ({ field, fault, place }) =>
      fault === 'dropped' &&
      !field.isRequired &&
      place.code !== undefined &&
      !isError(place) &&
      !isNotified(place) &&
      formatName(field) !== 'redirect_url',
  ],
  [
    'a service can create the transaction in that status, and move it before anyone reads it',
    ({ field, fault, place: { on, code, kind, status } }) =>
      formatName(field) === 'status' &&
      fault === 'other-value' &&
      code !== undefined &&
      kind !== undefined &&
      listMoves(kind).some(({ from, to, by, tolerated }) => {
        const shown = field.known.find((one) => one !== status);
        return from === shown && to === status && by === 'service' && !tolerated && isCreationStatus(kind, from, on);
      }),
  ],
];

/** Rules that allow the behavior of the defect. */
const OPEN: readonly [reason: string, holds: (rule: Rule) => boolean][] = [
  [
    'a service can create the payment in this status instead of moving it there',
    ({ move, fault }) =>
      fault === 'off' &&
      move?.by === 'service' &&
      move.from === 'CREATED' &&
      listMoves('payment').some(({ from, to, tolerated }) => from === null && to === move.to && !tolerated),
  ],
  [
    'only reads show the status, so the move merely looks later',
    ({ move, fault }) => fault === 'late' && move?.by === 'customer',
  ],
];

/** A service that never does this, or much later, looks like a slow one, so that the kit can only say: not shown. */
const SLOW: readonly [reason: string, holds: (rule: Rule) => boolean][] = [
  [
    'a move that is never made looks like a late one',
    ({ move, fault }) => move !== undefined && move.from !== null && fault === 'off',
  ],
];

/** The reason why the altered service is valid; undefined if it isn't. */
export function equivalence({ wrong, rule }: Mutant): string | undefined {
  const row = wrong ? VALID.find(([, holds]) => holds(wrong)) : rule && OPEN.find(([, holds]) => holds(rule));
  return row?.[0];
}

/** The reason why the altered service looks like a slow one; undefined if it doesn't. */
export function slowness({ rule }: Mutant): string | undefined {
  return rule && SLOW.find(([, holds]) => holds(rule))?.[0];
}

function isText(field: Wrong['field'], inProblem: boolean): boolean {
  return formatName(field) === 'message' || (inProblem && formatName(field) === 'detail');
}

/** Webhooks equal this operation's response, so one of them lacks a dropped field too. */
function isNotified({ on, kind, status }: Wrong['place']): boolean {
  if (on !== 'getPayment' && on !== 'getPayout') return false;
  return PLACES.some((one) => one.code === undefined && one.kind === kind && one.status === status);
}

function formatName({ path }: Wrong['field']): string {
  return path.at(-1) ?? '';
}

function isCreationStatus(kind: TransactionKind, status: string | null, operation: string): boolean {
  return listMoves(kind).some(
    ({ from, to, by, tolerated }) => from === null && to === status && by === operation && !tolerated,
  );
}

function listMoves(kind: TransactionKind): readonly Transition[] {
  return BUNDLE['x-state-machines'][kind]?.transitions ?? [];
}
