/**
 * The states that a disk can be in after a power cut. A write is certain once a later sync of its file has ended. Until
 * then, each of its sectors may be lost or written, in any order. A new file may be missing until its folder is synced.
 */
import type { Random } from '../../../tools/random.ts';

const SECTOR = 512;
const HEADER = 24;
const KINDS = ['write', 'resize', 'sync-begin', 'sync-end'] as const;

/** A change of a file, as record-writes.c records it. */
export interface Change {
  readonly kind: (typeof KINDS)[number] | undefined;
  /** The name in the folder. Empty for the folder itself. */
  readonly file: string;
  /** The position of a write, the size after a resize, or the number of a sync. */
  readonly offset: number;
  readonly data: Buffer;
}

export function parseTrace(trace: Buffer): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < trace.length; ) {
    const nameEnd = at + HEADER + trace.readUInt32LE(at + 4);
    const end = nameEnd + Number(trace.readBigUInt64LE(at + 16));
    changes.push({
      kind: KINDS[trace.readUInt32LE(at)],
      file: trace.toString('utf8', at + HEADER, nameEnd),
      offset: Number(trace.readBigUInt64LE(at + 8)),
      data: trace.subarray(nameEnd, end),
    });
    at = end;
  }
  return changes;
}

interface File {
  durable: Buffer;
  /** Later changes, in order. */
  readonly pending: Change[];
  /** Number of pending changes when a sync began. */
  readonly syncs: Map<number, number>;
  isInFolder: boolean;
}

/** The chances that an unsynced change reaches the disk, and that each sector of it does. */
const SURVIVALS = [
  { change: 0, sector: 0 },
  { change: 1, sector: 1 },
  { change: 0.5, sector: 1 },
  { change: 1, sector: 0.5 },
  { change: 0.9, sector: 0.95 },
];

export class Disk {
  readonly #files = new Map<string, File>();

  /** Unless `obeys` is set, the disk ignores syncs. */
  change(change: Change, obeys: boolean): void {
    const { kind, file: name, offset } = change;
    if (name === '' && kind === 'sync-end') for (const each of this.#files.values()) each.isInFolder = true;
    if (name === '') return;
    const empty = { durable: Buffer.alloc(0), pending: [], syncs: new Map(), isInFolder: false };
    const file: File = this.#files.get(name) ?? empty;
    this.#files.set(name, file);
    if (kind === 'write' || kind === 'resize') file.pending.push(change);
    if (kind === 'sync-begin') file.syncs.set(offset, file.pending.length);
    if (kind === 'sync-end' && obeys) settle(file, file.syncs.get(offset) ?? 0);
  }

  /** The files after a power cut now. */
  cutPower(random: Random): Map<string, Buffer> {
    const survival = random.of(SURVIVALS);
    const files = new Map<string, Buffer>();
    for (const [name, { durable, pending, isInFolder }] of this.#files) {
      if (!isInFolder && !random.chance(survival.change)) continue;
      const survivors = pending
        .filter(() => random.chance(survival.change))
        .flatMap(splitSectors)
        .filter(() => random.chance(survival.sector));
      files.set(name, apply(durable, survivors));
    }
    return files;
  }
}

/** Makes the first pending changes durable. */
function settle(file: File, count: number): void {
  file.durable = apply(file.durable, file.pending.splice(0, count));
  for (const [sync, before] of file.syncs) file.syncs.set(sync, Math.max(0, before - count));
}

function apply(content: Buffer, changes: readonly Change[]): Buffer {
  const end = ({ offset, data }: Change) => offset + data.length;
  let size = content.length;
  const bytes = Buffer.concat(
    [content],
    changes.reduce((max, change) => Math.max(max, end(change)), size),
  );
  for (const change of changes) {
    change.data.copy(bytes, change.offset);
    size = change.kind === 'resize' ? change.offset : Math.max(size, end(change));
    if (change.kind === 'resize') bytes.fill(0, size);
  }
  return bytes.subarray(0, size);
}

function splitSectors(change: Change): Change[] {
  const { offset, data } = change;
  const parts: Change[] = change.kind === 'resize' ? [change] : [];
  for (let at = 0; at < data.length; ) {
    const end = at + SECTOR - ((offset + at) % SECTOR);
    parts.push({ ...change, offset: offset + at, data: data.subarray(at, end) });
    at = end;
  }
  return parts;
}
