/** Parameters of a part of the bench. */

export interface Bench {
  /** An empty folder of this part. */
  readonly folder: string;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Measurements of each contender; medians are shown. */
  readonly rounds: number;
  /** Payments in the file whose growth is measured. */
  readonly payments: number;
  /** Webhooks that wait when the gateway starts. */
  readonly backlog: number;
  /** A revision to compare the flow with. */
  readonly against?: string | undefined;
  /** Says what is being measured. */
  readonly say: (text: string) => void;
}
