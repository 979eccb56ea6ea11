/** The names of the headers that carry a webhook's signature, which the brand is part of. */
import type { Bundle } from '../../contract/src/model.ts';
import { readHeaderNames } from '../../contract/src/vectors/writer.ts';

/** generated/webhook-headers.ts without its banner. */
export function webhookHeadersArtifact(bundle: Bundle): string {
  return `/** Headers of a webhook by their content. All of \`signatures\` have the same value. */
export const webhookHeaders = ${JSON.stringify(readHeaderNames(bundle), null, 2)} as const;
`;
}
