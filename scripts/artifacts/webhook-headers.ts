/** The names of the headers that carry a webhook's signature, which the brand is part of. */
import { type Bundle, webhooks } from '../../contract/src/model.ts';

export interface HeaderNames {
  readonly id: string;
  readonly timestamp: string;
  /** The branded one first. */
  readonly signatures: readonly string[];
}

/** generated/webhook-headers.ts without its banner. */
export function webhookHeadersArtifact(bundle: Bundle): string {
  return `/** Headers of a webhook by what they carry; all of \`signatures\` carry the same value. */
export const webhookHeaders = ${JSON.stringify(readHeaderNames(bundle), null, 2)} as const;
`;
}

/** The names of the headers, from the parameters of the webhooks. */
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
