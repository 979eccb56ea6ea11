/**
 * openapi/ → one document. Redocly resolves the files (and stamps the brand, see openapi/lint/plugin.ts);
 * what it cannot do is done here: callbacks lose the operationIds that they share with the webhooks,
 * the introduction gets its tables and diagrams from the document's own data, and the operations get code samples.
 */
import type { Bundle, RawOperation } from '../../contract/src/model.ts';
import { bundleApi } from '../tools/redocly.ts';
import { expandIntroduction } from './introduction.ts';
import { addSamples } from './samples/samples.ts';

/** Bundles the contract. Throws with Redocly's own words when it does not resolve. */
export async function bundleContract(): Promise<Bundle> {
  return finishBundle(await bundleApi('payments'));
}

/** The steps after Redocly's bundling. Changes the given document and returns it. */
export function finishBundle(bundle: Bundle): Bundle {
  for (const operation of Object.values(bundle.paths).flatMap((item) => Object.values(item))) {
    stripCallbackIds(operation);
  }
  bundle.info.description = expandIntroduction(bundle);
  addSamples(bundle);
  return bundle;
}

/** A webhook and a callback are one file; operationIds must be unique, and the webhook keeps it. */
function stripCallbackIds(operation: RawOperation): void {
  for (const callback of Object.values(operation.callbacks ?? {})) {
    for (const item of Object.values(callback)) delete item.post.operationId;
  }
}
