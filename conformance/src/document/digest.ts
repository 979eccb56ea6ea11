/** The digest of the document that the kit checks against, so that two reports can be compared. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';

/** `sha256:` and the hex digest of the bytes of openapi.json, as sha256sum prints it. */
export function contractDigest(): string {
  return computeDigest(readFileSync(BUNDLE_FILE));
}

/** The digest of a document's text. */
export function computeDigest(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
