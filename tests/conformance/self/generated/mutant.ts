/** A generated defect: its name, its change, and whether it took effect. */
import type { Json, Transition } from '../../../../contract/src/model.ts';
import { type Alteration, toObject } from '../alteration.ts';
import type { Fault } from './faults.ts';
import type { Library } from './memory.ts';
import { type Field, PLACES, type Shown } from './places.ts';

/** Called whenever the service is altered. */
export type Note = () => void;

/** A run on the reference service. */
export interface Recording {
  /** The first bodies of each place. */
  readonly library: Library;
  /** Every body, in the order in which they were shown. */
  readonly bodies: readonly ShownBody[];
}

export interface ShownBody {
  readonly place: Shown;
  readonly subject: string;
  readonly body: Json;
}

export interface Mutant {
  readonly id: string;
  /** The kind of fault by which results are counted, such as `null` or `notified off`. */
  readonly fault: string;
  /** The defective field; undefined for a rule. */
  readonly wrong?: { readonly place: Shown; readonly field: Field; readonly fault: Fault };
  /** The broken rule; undefined for a field. */
  readonly rule?: { readonly fault: string; readonly move?: Transition };
  readonly alter: (recording: Recording, note: Note) => Alteration;
  /** Whether it would have changed anything in that run. Always possible by default. */
  readonly wouldShow?: (recording: Recording) => boolean;
}

/** The place of a response; undefined for an undocumented one. */
export function placeOfResponse(on: string, code: number, body: Json | undefined): Shown | undefined {
  const status = toObject(body)['status'];
  const here = PLACES.filter((place) => place.on === on && place.code === code);
  return here.find((place) => place.status === undefined || place.status === status);
}

/** The place of a webhook. */
export function placeOfWebhook(body: Json): Shown | undefined {
  const { status, payment_method, payment_method_type } = toObject(body);
  const kind = (payment_method ?? payment_method_type) ? 'payment' : 'payout';
  return PLACES.find((place) => place.code === undefined && place.kind === kind && place.status === status);
}

/** Id of the transaction in the body, or else the credential of the merchant who asks. */
export function readSubject(body: Json | undefined, key: string): string {
  return String(toObject(body)['transaction_id'] ?? key);
}
