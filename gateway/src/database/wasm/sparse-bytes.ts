/** A JSON encoding for mostly zero bytes: an empty database has a page for each table and index. */

/** The length and the nonzero pieces, each with its offset and its bytes as characters. */
export type SparseBytes = readonly [length: number, ...pieces: (readonly [offset: number, bytes: string])[]];

/** This many zeros in a row end a piece. Encoding the next piece takes about as much space. */
const GAP = 16;

export function packSparse(bytes: Uint8Array): SparseBytes {
  const pieces: [number, string][] = [];
  let start = 0;
  let end = 0;
  const add = () => {
    if (end > start) pieces.push([start, String.fromCharCode(...bytes.subarray(start, end))]);
  };
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) continue;
    if (at - end >= GAP) {
      add();
      start = at;
    }
    end = at + 1;
  }
  add();
  return [bytes.length, ...pieces];
}

export function unpackSparse([length, ...pieces]: SparseBytes): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const [offset, text] of pieces) {
    for (let at = 0; at < text.length; at++) bytes[offset + at] = text.charCodeAt(at);
  }
  return bytes;
}
