/** The names of the headers that carry a webhook's signature, which the brand is part of. */
import { type Bundle, webhooks } from '../../contract/src/model.ts';

/** generated/webhook-headers.ts without its banner. */
export function webhookHeadersArtifact(bundle: Bundle): string {
  const all = webhooks(bundle).flatMap(({ parameters }) => parameters.filter((parameter) => parameter.in === 'header'));
  const names = [...new Set(all.map(({ name }) => name))];
  const ending = (suffix: string) => names.filter((name) => name.toLowerCase().endsWith(suffix));
  const [id] = ending('-id');
  const [timestamp] = ending('-timestamp');
  const signatures = ending('-signature');
  if (!id || !timestamp || signatures.length === 0) {
    throw new Error('the webhooks of the contract need headers for id, timestamp and signature');
  }
  return `/** Headers of a webhook by what they carry; all of \`signatures\` carry the same value. */
export const webhookHeaders = ${JSON.stringify({ id, timestamp, signatures }, null, 2)} as const;
`;
}
