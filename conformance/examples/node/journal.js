/**
 * Journal: an append-only file with one event per line. Each command appends one event, so a line is also the unit of
 * atomicity. Writes are synchronous and survive a crash of the process; a crash of the machine can lose the last ones.
 */
import { existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

export function openJournal(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  // A crash can leave half a line. Its client got no response, so it is cut off.
  if (complete !== text) truncateSync(path, Buffer.byteLength(complete));
  const file = openSync(path, 'a');
  return {
    events: complete
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
    append: (event) => writeSync(file, `${JSON.stringify(event)}\n`),
  };
}
