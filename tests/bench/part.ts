/** Parameters of a part of the bench. */

export interface Bench {
  /** An empty folder of this part. */
  readonly folder: string;
  /** Duration of one measurement. */
  readonly seconds: number;
  /** Measurements per contender, of which the median is shown. */
  readonly rounds: number;
  /** Payments in the file for the growth measurement. */
  readonly payments: number;
  /** Waiting webhooks when the gateway starts. */
  readonly backlog: number;
  /** A revision to compare the flow with. */
  readonly against?: string | undefined;
  /** Prints the current measurement. */
  readonly say: (text: string) => void;
}
