/** A problem with additional response headers. */
import { ProblemError, type ProblemName } from './problems.ts';

export class ProblemWithHeaders extends ProblemError {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(problem: ProblemName, detail: string, headers: Readonly<Record<string, string>>) {
    super(problem, detail);
    this.headers = headers;
  }
}
