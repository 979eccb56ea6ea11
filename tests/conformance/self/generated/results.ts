/** Results in a file, as lines of JSON, so that an interrupted run loses none. */
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { Judged } from './trial.ts';

export class Results {
  readonly #file: string | undefined;
  readonly #lines: Judged[];

  /** Without a file, results stay in memory. Removes the half line of a killed run. */
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
