/** Requests that the payment page cannot serve, as pages: the API's problems are for programs. */

import { html } from '../http/html.ts';
import { StoreUnavailable } from '../store/engine/store.ts';
import { ProblemError, type ProblemName } from '../wire/problems.ts';
import type { Page } from './page.ts';

export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly retryAfter?: number;
}

const REFUSALS = {
  unknown: {
    status: 404,
    title: 'Payment not found',
    text: 'The link may be incomplete. Go back to the shop and start the payment again.',
  },
  unreadable: {
    status: 400,
    title: 'The form could not be read',
    text: 'This changed nothing. Open the payment again and send the form from there.',
  },
  'other-site': {
    status: 403,
    title: 'This form came from another site',
    text: 'This changed nothing. Open the payment again and send the form from there.',
  },
  'other-host': {
    status: 421,
    title: 'This is not the address of the payment page',
    text: 'Go back to the shop and open the payment from there.',
  },
  'too-large': {
    status: 413,
    title: 'The form is too large',
    text: 'This changed nothing. Open the payment again and enter less.',
  },
  'wrong-type': {
    status: 415,
    title: 'The form could not be read',
    text: 'This changed nothing. Open the payment again and send the form from there.',
  },
  'too-many': {
    status: 429,
    title: 'Too many requests',
    text: 'Wait a moment, then open the payment again.',
    retryAfter: 1,
  },
  unavailable: {
    status: 503,
    title: 'The payment page is temporarily unavailable',
    text: 'Wait a moment, then open the payment again to see its status.',
    retryAfter: 1,
  },
  failed: {
    status: 500,
    title: 'Something went wrong here',
    text: 'Open the payment again to see its status before you pay a second time.',
  },
} as const satisfies Record<string, Refusal>;

/** The problems of what the API shares with these pages. */
const BY_PROBLEM: Readonly<Partial<Record<ProblemName, keyof typeof REFUSALS>>> = {
  'body-too-large': 'too-large',
  'unsupported-media-type': 'wrong-type',
  'validation-failed': 'unreadable',
  'misdirected-request': 'other-host',
  'rate-limited': 'too-many',
  unavailable: 'unavailable',
};

/** Thrown where a request to a payment page cannot be served. */
export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(name: keyof typeof REFUSALS) {
    super(REFUSALS[name].title);
    this.refusal = REFUSALS[name];
  }
}

/** The page for an error. An unexpected error is shown without internals. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof StoreUnavailable) return REFUSALS.unavailable;
  const known = error instanceof ProblemError ? BY_PROBLEM[error.problem] : undefined;
  return REFUSALS[known ?? 'failed'];
}

/** The page of a refusal, with the way back to the payment when there is one. */
export function failurePage(
  { status, title, text }: Refusal,
  { requestId, address }: { requestId: string; address?: string },
): Page {
  return {
    title,
    ...(status >= 500 && { footer: `Request ${requestId}` }),
    main: html`<main class="result">
<h1>${title}</h1>
<p>${text}</p>
${address !== undefined && status !== 404 && html`<a class="button plain" href="${address}">Open the payment</a>`}
</main>`,
  };
}
