import type { Merchant } from '../merchants/merchants.ts';

/** An authenticated request that conforms to the contract. */
export interface Call<Body = unknown, Parameters = Record<string, string>> {
  readonly merchant: Merchant;
  readonly parameters: Parameters;
  readonly body: Body;
}

/** Returns the body of the operation's success response; throws a ProblemError otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: each operation narrows its call; the routes check it before.
export type OperationHandler = (call: Call<any, any>) => Promise<unknown>;
