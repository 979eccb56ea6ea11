/** A JSON encoding for mostly zero bytes: an empty database has a page for each table and index. */

/** The length and the nonzero pieces, each with its offset and its bytes as characters. */
export type SparseBytes = readonly [length: number, ...pieces: (readonly [offset: number, bytes: string])[]];

export function unpackSparse([length, ...pieces]: SparseBytes): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const [offset, text] of pieces) {
    for (let at = 0; at < text.length; at++) bytes[offset + at] = text.charCodeAt(at);
  }
  return bytes;
}
