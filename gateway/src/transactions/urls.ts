/** Validates URLs that the gateway will use. `format: uri` accepts more than a URL parser. */

import { pointerOf } from '../../../contract/src/pointer.ts';
import { invalid } from '../http/problems.ts';

/** Throws the problem with each given member that no request could be sent to. */
export function requireUsableUrls(body: {
  readonly callback_url: string;
  readonly return_url?: string | undefined;
}): void {
  const unusable = (['callback_url', 'return_url'] as const).filter(
    (name) => body[name] !== undefined && !URL.canParse(body[name]),
  );
  if (unusable.length === 0) return;
  throw invalid(
    unusable.map((name) => ({ pointer: pointerOf(name), message: 'must be a complete URL, as a URL parser reads it' })),
  );
}
