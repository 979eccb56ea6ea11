/**
 * An empty database with this code's tables. The build of the published script replaces this module with one that
 * contains it.
 */
export function packedImage(): Uint8Array | undefined {
  return undefined;
}
