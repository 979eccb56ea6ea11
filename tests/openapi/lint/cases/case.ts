/** The shape of a case, and the places of sound.yaml that cases change. */
import type { Json } from '../../../../contract/src/model.ts';

export interface Case {
  rule: string;
  /** Completes the sentence "the rule refuses …". */
  refuses: string;
  /** New values by JSON pointer. Undefined removes the value. */
  change: Record<string, Json | undefined>;
  message: string;
  /** The location of the rule's finding, if it isn't the only pointer of `change`. */
  at?: string;
}

export const create = '#/paths/~1payments~1{transaction_id}/post';
export const find = '#/paths/~1payments/get';
export const webhook = '#/webhooks/paymentFailed/post';
export const schemas = '#/components/schemas';
export const requestExample = `${create}/requestBody/content/application~1json/examples`;
export const responseExample = `${create}/responses/200/content/application~1json/examples`;
export const machine = '#/x-state-machines/payment';
export const declines = `${schemas}/DeclineReason/anyOf/0`;
