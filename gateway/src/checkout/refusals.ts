/** Error pages of the payment page, since the API's problems are for programs. */

import { StoreUnavailable } from '../database/store.ts';
import { html } from '../http/html.ts';
import { ProblemError, type ProblemName } from '../http/problems.ts';
import { interpolate, type Language, languageQuery } from './language.ts';
import type { Page } from './page.ts';
import { en } from './texts/en.ts';
import type { RefusalName } from './texts/text.ts';

export interface Refusal {
  readonly status: number;
  readonly retryAfter?: number;
}

const REFUSALS = {
  unknown: { status: 404 },
  unreadable: { status: 400 },
  'other-site': { status: 403 },
  'other-host': { status: 421 },
  'too-large': { status: 413 },
  'wrong-type': { status: 415 },
  'too-many': { status: 429, retryAfter: 1 },
  unavailable: { status: 503, retryAfter: 1 },
  failed: { status: 500 },
} as const satisfies Readonly<Record<RefusalName, Refusal>>;

/** Problems thrown by code shared with the API. */
const BY_PROBLEM: Readonly<Partial<Record<ProblemName, RefusalName>>> = {
  'body-too-large': 'too-large',
  'unsupported-media-type': 'wrong-type',
  'validation-failed': 'unreadable',
  'misdirected-request': 'other-host',
  'rate-limited': 'too-many',
  unavailable: 'unavailable',
};

/** Thrown for a request that a payment page cannot serve. */
export class PageRefused extends Error {
  readonly refusal: RefusalName;
  constructor(name: RefusalName) {
    super(en.refusals[name].title);
    this.refusal = name;
  }
}

/** Maps an error to its refusal. An unexpected error is shown without internals. */
export function describeRefusal(error: unknown): Refusal & { readonly name: RefusalName } {
  const name = classifyRefusal(error);
  return { name, ...REFUSALS[name] };
}

function classifyRefusal(error: unknown): RefusalName {
  if (error instanceof PageRefused) return error.refusal;
  if (error instanceof StoreUnavailable) return 'unavailable';
  const known = error instanceof ProblemError ? BY_PROBLEM[error.problem] : undefined;
  return known ?? 'failed';
}

/** The page of a refusal, with a link back to the payment if there is one. */
export function failurePage(
  name: RefusalName,
  language: Language,
  { requestId, address }: { requestId: string; address?: string },
): Page {
  const { refusals, request, openPayment } = language.texts;
  const { status } = REFUSALS[name];
  const { title, text } = refusals[name];
  return {
    title,
    language,
    ...(status >= 500 && { footer: interpolate(language, request, { id: requestId }) }),
    main: html`<main class="result">
<h1>${title}</h1>
<p>${text}</p>
${address !== undefined && status !== 404 && html`<a class="button plain" href="${address}${languageQuery(language)}">${openPayment}</a>`}
</main>`,
  };
}
