/** A request while it is served: as it arrived, and what was found out about it since. */
import { performance } from '../platform/native-timers.ts';
import type { Span } from '../platform/tracing.ts';
import type { Merchant } from '../store/access/merchants.ts';
import type { PlainRequest, PlainResponse, RequestHeaders } from './plain.ts';
import { parseQuery, type Query } from './query.ts';

/** A body as it arrived. */
export interface ReceivedBody {
  readonly text: string;
  readonly bytes: number;
}

export class ServedRequest {
  readonly plain: PlainRequest;
  readonly id: string;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** By performance.now. */
  readonly beganAt: number;
  /** By the names of the route's parameters, decoded. */
  parameters: Readonly<Record<string, string>> = {};
  /** Id of the contract's operation, `probe` for health and metrics, or `other`. */
  operation = 'other';
  /** Set once the request is authenticated by a merchant's key, or in a session. */
  merchant: Merchant | undefined;
  /** The path of the route that serves it, with names in place of its parameters. */
  route: string | undefined;
  /** Id of the merchant's API key, which is not the key itself. */
  keyId: string | undefined;
  /** Id of the operator who has sent the request to the operators' API. */
  operatorId: string | undefined;
  /** Undefined without traces, and for probes. */
  span: Span | undefined;
  /** The transaction that the request is about, once it is known. */
  transactionId: string | undefined;
  /** Undefined without one, or if it was refused before all of it was read. */
  received: ReceivedBody | undefined;
  /** A fault of the response, on purpose. */
  cut: PlainResponse['cut'];

  constructor(plain: PlainRequest, id: string) {
    this.plain = plain;
    this.id = id;
    this.method = plain.method;
    this.headers = plain.headers;
    this.beganAt = performance.now();
  }

  /** A parameter of the path. */
  parameter(name: string): string {
    return this.parameters[name] ?? '';
  }

  get query(): Query {
    return parseQuery(this.plain.target);
  }

  /** The path as it was sent. */
  get path(): string {
    return pathOf(this.plain.target);
  }
}

/** Everything before the query. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}
