/** Writes deliveries of webhooks, signed from the wording of the assumption `signature`. */
import { createHmac } from 'node:crypto';
import { type Bundle, type Operation, webhooks } from '../model.ts';

export interface HeaderNames {
  readonly id: string;
  readonly timestamp: string;
  /** The branded one first. */
  readonly signatures: readonly string[];
}

/** Values that all deliveries share. */
export interface VectorInputs {
  /** The secret of the receiver. */
  readonly secret: string;
  /** The one before it. */
  readonly previousSecret: string;
  /** The secret of another merchant. */
  readonly foreignSecret: string;
  /** Seconds since 1970, by the receiver's clock. */
  readonly now: number;
  /** Seconds between timestamps and the limit, on either side of it. */
  readonly marginSeconds: number;
  readonly id: string;
  /** Builds the signed body from an example. */
  readonly body: (example: object) => string;
}

export interface VectorDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface VectorEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

export function readHeaderNames(bundle: Bundle): HeaderNames {
  const all = webhooks(bundle).flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === 'header'));
  const names = [...new Set(all.map(({ name }) => name))];
  const ending = (suffix: string) => names.filter((name) => name.toLowerCase().endsWith(suffix));
  const [id] = ending('-id');
  const [timestamp] = ending('-timestamp');
  const signatures = ending('-signature');
  if (!id || !timestamp || signatures.length === 0) {
    throw new Error('the webhooks of the contract need headers for id, timestamp and signature');
  }
  return { id, timestamp, signatures };
}

export function signedDelivery(names: HeaderNames, event: VectorEvent, secrets: readonly string[]): VectorDelivery {
  return written(names, event, secrets.map((secret) => sign(event, secret)).join(' '));
}

function written(names: HeaderNames, { id, timestamp, body }: VectorEvent, signature: string): VectorDelivery {
  const signatures = Object.fromEntries(names.signatures.map((name) => [name, signature]));
  const headers = { 'content-type': 'application/json', [names.id]: id, [names.timestamp]: timestamp, ...signatures };
  return { headers, body };
}

/** Writes deliveries of one event. Each row changes what it is about. */
export class DeliveryWriter {
  readonly inputs: VectorInputs;
  readonly names: HeaderNames;
  readonly webhooks: readonly Operation[];
  readonly event: VectorEvent;

  constructor(bundle: Bundle, inputs: VectorInputs) {
    this.inputs = inputs;
    this.names = readHeaderNames(bundle);
    this.webhooks = webhooks(bundle);
    this.event = { id: inputs.id, timestamp: String(inputs.now - 1), body: this.bodyOf('paymentSucceeded') };
  }

  bodyOf(id: string): string {
    const example = this.webhooks.find((webhook) => webhook.id === id)?.request?.examples[0];
    if (!example) throw new Error(`the webhook ${id} has no example`);
    return this.inputs.body(example.value as object);
  }

  /** The event with changes made before it is signed. */
  signed(changes: Partial<VectorEvent> = {}, ...secrets: string[]): VectorDelivery {
    const signers = secrets.length > 0 ? secrets : [this.inputs.secret];
    return signedDelivery(this.names, { ...this.event, ...changes }, signers);
  }

  /** The event with its signature, and changes made afterwards. */
  changed(changes: Partial<VectorEvent>): VectorDelivery {
    return written(this.names, { ...this.event, ...changes }, sign(this.event, this.inputs.secret));
  }

  /** The event with the value in its signature headers. */
  withSignature(value: string, event = this.event): VectorDelivery {
    return written(this.names, event, value);
  }

  /** The event without the headers. */
  without(...names: string[]): VectorDelivery {
    const { headers, body } = this.signed();
    return { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))), body };
  }
}

export function decodeKey(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

export function formatContent({ id, timestamp, body }: VectorEvent): string {
  return `${id}.${timestamp}.${body}`;
}

export function sign(event: VectorEvent, secret: string): string {
  return `v1,${createHmac('sha256', decodeKey(secret)).update(formatContent(event)).digest('base64')}`;
}
