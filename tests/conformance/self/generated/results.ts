/** Judgements in a file, a line of JSON each, so that a run that is cut off loses none of them. */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { Judged } from './trial.ts';

export class Results {
  readonly #file: string | undefined;
  readonly #lines: Judged[];

  /** Without a file, the results are in memory only. A run that was killed can have left half a line, which is removed. */
  constructor(file?: string) {
    this.#file = file;
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    if (file !== undefined && complete !== text) truncateSync(file, Buffer.byteLength(complete));
    this.#lines = complete.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Judged]));
  }

  add(one: Judged): void {
    this.#lines.push(one);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(one)}\n`);
  }

  /** The last judgement of each defect. */
  last(): Judged[] {
    return [...new Map(this.#lines.map((one) => [one.id, one])).values()];
  }
}
