/** Parts of bad requests. */
import type { JsonObject } from '../../../contract/src/model.ts';
import type { Random } from '../../tools/random.ts';
import type { Wire } from './wire.ts';

/** A merchant's transactions in the store. */
interface Holdings {
  /** A payment that waits for its confirmation, and the request that created it. */
  readonly waiting: { readonly id: string; readonly request: JsonObject };
  /** Final transactions. */
  readonly payment: string;
  readonly payout: { readonly id: string; readonly request: JsonObject };
}

/** The contents of the store, for requests that contradict them. */
export interface RequestFixture extends Holdings {
  readonly key: string;
  /** Bodies that would create a transaction with a new order id. */
  readonly newPayment: () => JsonObject;
  readonly newPayout: () => JsonObject;
  /** Another merchant's transactions. */
  readonly others: Holdings;
}

/** A bad request: an HTTP request, possibly with an incomplete body, or arbitrary bytes. */
export type Bad = ({ readonly wire: Wire; readonly unfinished?: boolean } | { readonly raw: Buffer }) & {
  /** The expected status of the response, if only one is correct. */
  readonly status?: number;
};

/** Creates a bad request of one kind. */
export type Maker = (random: Random, fixture: RequestFixture) => Bad;

const CREATIONS = ['/payments', '/payouts'] as const;

/** A creation's path with a valid body. */
export function creation(random: Random, fixture: RequestFixture): { path: string; body: JsonObject } {
  const path = random.of(CREATIONS);
  return { path, body: path === '/payments' ? fixture.newPayment() : fixture.newPayout() };
}

/** The merchant's call with the bytes as its JSON body. */
export function post(
  fixture: RequestFixture,
  target: string,
  body: Buffer | string,
  type = 'application/json',
): { wire: Wire } {
  const bytes = Buffer.from(body as string);
  return {
    wire: {
      method: 'POST',
      target,
      headers: [...createHeaders(fixture), ['Content-Type', type], ['Content-Length', String(bytes.length)]],
      body: bytes,
    },
  };
}

/** The merchant's call without a body. */
export function get(fixture: RequestFixture, target: string, method = 'GET'): { wire: Wire } {
  return { wire: { method, target, headers: createHeaders(fixture), body: Buffer.alloc(0) } };
}

/** Headers of every call of the merchant. */
export function createHeaders({ key }: RequestFixture): [string, string][] {
  return [
    ['Host', '127.0.0.1'],
    ['Authorization', `Bearer ${key}`],
  ];
}

/** Random bytes. */
export function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
}
