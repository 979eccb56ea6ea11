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

/** The contents of the store, so that a request can be wrong about them. */
export interface World extends Holdings {
  readonly key: string;
  /** Bodies that would create a transaction under a fresh order id. */
  readonly newPayment: () => JsonObject;
  readonly newPayout: () => JsonObject;
  /** Those of another merchant. */
  readonly others: Holdings;
}

/** A bad request: one of HTTP, whose body may be only begun, or bytes that may well not be any. */
export type Bad = ({ readonly wire: Wire; readonly unfinished?: boolean } | { readonly raw: Buffer }) & {
  /** Of the response, where only one is right. */
  readonly status?: number;
};

/** Makes a bad request of one kind. */
export type Maker = (random: Random, world: World) => Bad;

const CREATIONS = ['/payments', '/payouts'] as const;

/** A creation's path with a body that would be taken. */
export function creation(random: Random, world: World): { path: string; body: JsonObject } {
  const path = random.of(CREATIONS);
  return { path, body: path === '/payments' ? world.newPayment() : world.newPayout() };
}

/** A call of the merchant with the bytes as its JSON body. */
export function post(world: World, target: string, body: Buffer | string, type = 'application/json'): { wire: Wire } {
  const bytes = Buffer.from(body as string);
  return {
    wire: {
      method: 'POST',
      target,
      headers: [...createHeaders(world), ['Content-Type', type], ['Content-Length', String(bytes.length)]],
      body: bytes,
    },
  };
}

/** A call of the merchant without a body. */
export function get(world: World, target: string, method = 'GET'): { wire: Wire } {
  return { wire: { method, target, headers: createHeaders(world), body: Buffer.alloc(0) } };
}

/** Headers of every call of the merchant. */
export function createHeaders({ key }: World): [string, string][] {
  return [
    ['Host', '127.0.0.1'],
    ['Authorization', `Bearer ${key}`],
  ];
}

/** Bytes of any value. */
export function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.whole(0, 255)));
}
