/** Alterations of a valid service for a trial: of its requests, responses and webhooks. */
import type { ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '../../../contract/src/model.ts';
import type { Store } from '../../../gateway/src/database/store.ts';

/** A request of the kit. Hooks may write to it. */
export interface Incoming {
  /** Operation id; empty for a path that the contract doesn't have. */
  readonly operation: string;
  readonly method: string;
  path: string;
  /** Empty, or with its question mark. */
  query: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  bytes: Buffer;
  /** The body, if it is JSON. Set `bytes` to change it, or use `rewrite`. */
  readonly body: Json | undefined;
}

/** A response to the kit. Hooks may write to it. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body?: Json | undefined;
  /** Sent instead of the body. */
  text?: string | Buffer;
}

/** A webhook on its way to the kit. Hooks may write to it. */
export interface Webhook {
  method: string;
  url: string;
  id: string;
  body: JsonObject;
  /** The signing secret of its merchant. */
  readonly secret: string;
  /** Sent instead of the body. */
  text?: string;
  /** Milliseconds to wait before the first attempt. */
  delayMs: number;
  /** Milliseconds after which the reply to an attempt is read. */
  replyMs: number;
  /** Follows redirects. */
  follows?: boolean;
  /** Headers of an attempt, which starts from 1. */
  headers: (signed: { readonly id: string; readonly text: string; readonly attempt: number }) => Record<string, string>;
  /** Milliseconds until the attempt after this one; undefined if none follows. `status` is 0 without a response. */
  retryMs: (status: number, attempt: number) => number | undefined;
}

/** A response or webhook that shows a transaction. */
export interface Place {
  readonly on: string;
  readonly kind: 'payment' | 'payout';
  readonly status: string;
}

/** The reference service behind the proxy. */
export interface Backend {
  readonly key: string;
  readonly secondKey: string;
  readonly secret: string;
  readonly secondSecret?: string;
  readonly store: Store;
  send(request: Pick<Incoming, 'method' | 'path'> & Partial<Incoming>): Promise<Outgoing>;
}

export type Later<T> = T | Promise<T>;

/** A response in the gateway's place. */
export type Responded = Later<Outgoing | undefined> | Later<void>;
/** Webhooks in place of one; without any, it is delivered itself. */
export type Delivered = Later<readonly Webhook[] | undefined> | Later<void>;

/** Hooks of one trial. Each trial gets new ones, so they may keep state. */
export interface Alteration {
  /** Before the gateway sees it. A response is sent instead of the gateway's. */
  readonly request?: (request: Incoming, backend: Backend) => Responded;
  /** Every transaction in a response or a webhook, before the hooks below. */
  readonly transaction?: (transaction: JsonObject, place: Place) => void;
  readonly response?: (response: Outgoing, request: Incoming, backend: Backend) => Later<void>;
  /** Before the kit gets it. */
  readonly webhook?: (webhook: Webhook, backend: Backend) => Delivered;
  /** Writes the response itself. */
  readonly write?: (outgoing: Outgoing, response: ServerResponse) => void;
  /** Whether anything was altered. Absent if the kit's requests always bring it out. */
  readonly tookEffect?: () => boolean;
  /** Milliseconds from SUCCESS to available. Defaults to the sandbox's. */
  readonly settlementMs?: number;
}

/** Alters a service in several ways, one after the other. */
export function combine(alterations: readonly Alteration[]): Alteration {
  return {
    async request(request, backend) {
      for (const one of alterations) {
        const instead = await one.request?.(request, backend);
        if (instead) return instead;
      }
      return undefined;
    },
    transaction(transaction, place) {
      for (const one of alterations) one.transaction?.(transaction, place);
    },
    async response(response, request, backend) {
      for (const one of alterations) await one.response?.(response, request, backend);
    },
    async webhook(webhook, backend) {
      for (const one of alterations) await one.webhook?.(webhook, backend);
    },
  };
}

/** Replaces the body of a request. */
export function rewrite(request: Incoming, body: Json): undefined {
  request.bytes = Buffer.from(JSON.stringify(body));
}

/** The value as an object; an empty one for anything else. */
export function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function findPlace(on: string, transaction: JsonObject): Place {
  const isPayment = on.includes('Payment') || 'payment_method' in transaction || 'payment_method_type' in transaction;
  return { on, kind: isPayment ? 'payment' : 'payout', status: String(transaction['status']) };
}
