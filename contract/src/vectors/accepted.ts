/** Deliveries that a receiver accepts: every event, and the variations that proxies and frameworks cause. */
import type { Bundle } from '../model.ts';
import { TOLERANCE_SECONDS } from '../webhook-signature.ts';
import { DeliveryWriter, sign, type VectorDelivery, type VectorInputs } from './writer.ts';

export interface AcceptedDelivery extends VectorDelivery {
  readonly name: string;
  /** Its special feature. */
  readonly summary: string;
  /** The secret with which it is accepted. */
  readonly secret: string;
  readonly signedWith: readonly string[];
}

type AcceptedRow = readonly [
  name: string,
  summary: string,
  delivery: VectorDelivery,
  secret?: string,
  signers?: string[],
];

export function acceptedDeliveries(bundle: Bundle, inputs: VectorInputs): AcceptedDelivery[] {
  const writer = new DeliveryWriter(bundle, inputs);
  return [...eventRows(writer), ...formRows(writer), ...rotationRows(writer)].map(
    ([name, summary, delivery, secret = inputs.secret, signedWith = [secret]]) => ({
      ...{ name, summary, secret, signedWith, ...delivery },
    }),
  );
}

function eventRows(writer: DeliveryWriter): AcceptedRow[] {
  return writer.webhooks.map(({ id, summary }) => {
    const event = { id: `${writer.event.id}_${id}`, body: writer.bodyOf(id) };
    return [`event-${id}`, `${summary}: the contract's example of ${id}.`, writer.signed(event)];
  });
}

/** Forms that an HTTP library, a proxy or a later version of the service may give a delivery. */
function formRows(writer: DeliveryWriter): AcceptedRow[] {
  const { event, names, inputs } = writer;
  const [branded = '', standard = ''] = names.signatures;
  const right = sign(event, inputs.secret);
  const { headers, body } = writer.signed();
  const renamed = (change: (name: string) => string): VectorDelivery => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value])),
    body,
  });
  const within = TOLERANCE_SECONDS - inputs.marginSeconds;
  const at = (seconds: number) => writer.signed({ timestamp: `${inputs.now + seconds}` });
  const withField = `${body.slice(0, -1)},"note":"₹ 499.00 für Zoë 🎉"}`;
  return [
    ['branded-header-only', `The signature is only in ${branded}.`, writer.without(standard)],
    ['standard-header-only', `The signature is only in ${standard}.`, writer.without(branded)],
    ['lower-case-headers', 'Header names are in lower case, as HTTP/2 sends them.', renamed((n) => n.toLowerCase())],
    ['upper-case-headers', 'Header names are in upper case.', renamed((n) => n.toUpperCase())],
    ['repeated-delivery', 'The same event is delivered again, 4 s later.', at(3)],
    ['oldest-timestamp', `The timestamp is ${within} s ago.`, at(-within)],
    ['latest-timestamp', `The timestamp is ${within} s ahead.`, at(within)],
    [
      'unknown-field',
      'The body has a field that the contract lacks, and not only ASCII.',
      writer.signed({ body: withField }),
    ],
    [
      'escaped-characters',
      'The body has escapes that a JSON library would write as characters.',
      writer.signed({ body: withField.replace('ü', '\\u00fc').replace('₹', '\\u20b9') }),
    ],
    [
      'indented-body',
      'The body is indented and ends with a line break.',
      writer.signed({ body: `${indented(body)}\n` }),
    ],
    [
      'unknown-version-first',
      'A signature of an unknown version comes before the right one.',
      writer.withSignature(`v2,${right.slice('v1,'.length)} ${right}`),
    ],
    [
      'wrong-signature-first',
      'A signature of another secret comes before the right one.',
      writer.withSignature(`${sign(event, inputs.foreignSecret)} ${right}`),
    ],
    ['joined-by-comma', 'A proxy has joined two headers with a comma.', writer.withSignature(`v1,AAAA, ${right}`)],
    ['several-spaces', 'Several spaces separate the signatures.', writer.withSignature(`v1,AAAA   ${right}`)],
  ];
}

function rotationRows(writer: DeliveryWriter): AcceptedRow[] {
  const { inputs } = writer;
  const both = [inputs.secret, inputs.previousSecret];
  const delivery = writer.signed({}, ...both);
  return [
    ['rotation-new-secret', 'Signed with two secrets; the receiver has the new one.', delivery, inputs.secret, both],
    [
      'rotation-old-secret',
      'Signed with two secrets; the receiver has the old one.',
      delivery,
      inputs.previousSecret,
      both,
    ],
  ];
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
