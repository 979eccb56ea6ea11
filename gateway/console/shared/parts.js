/** Small parts that all pages are made of. */
import { useEffect } from 'preact/hooks';
import { announce } from './announce.js';
import { ApiError } from './api.js';
import { pretty, time } from './format.js';
import { html } from './view.js';

/** @typedef {import('./view.js').Children} Children */

/** The name of the console, which is the title of its document before the first page. */
const CONSOLE = document.title;

/** Status tones: good, bad, waiting for a person, or in progress. @type {Record<string, string>} */
const TONES = {
  ...{ SUCCESS: 'good', delivered: 'good', approved: 'good', up: 'good', ok: 'good' },
  ...{ FAILED: 'bad', failed: 'bad', down: 'bad', given_up: 'bad' },
  ...{ EXTRA_DATA_NEEDED: 'warn', PAY_CONFIRMATION_NEEDED: 'warn', waiting: 'warn', overloaded: 'warn', slow: 'warn' },
  ...{ lost_response: 'warn', manual: 'info', open: 'warn', stopped: 'warn', paused: 'warn', disabled: 'warn' },
  ...{
    succeeded: 'good',
    declined: 'bad',
    no_response: 'bad',
    invalid_result: 'bad',
    unavailable: 'warn',
    ask_again: 'info',
  },
  ...{ CREATED: 'info', VERIFYING: 'info', PROCESSING: 'info' },
};

/** @param {string | undefined} status */
export function toneOf(status) {
  return TONES[status ?? ''] ?? '';
}

/** @param {number} status */
export function toneOfHttp(status) {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** @param {{ value: string | number, tone?: string }} props */
export function Status({ value, tone = toneOf(String(value)) }) {
  // Narrow columns break it between its words.
  const parts = String(value).split(/(?<=_)/);
  return html`<span class=${`status ${tone}`}>${parts.map((part, index) => [index > 0 && html`<wbr />`, part])}</span>`;
}

/** The status of the response, or why there was none. @param {{ attempt: { status?: number, error?: string } }} props */
export function Outcome({ attempt: { status, error } }) {
  if (status === undefined) return html`<${Status} value=${error ?? 'no response'} tone="bad" />`;
  return html`<${Status} value=${status} tone=${toneOfHttp(status)} />`;
}

/** @param {{ at: string }} props */
export function Time({ at }) {
  return html`<time class="quiet number" datetime=${at} title=${`${at} (UTC)`}>${time(at)}</time>`;
}

/**
 * A page heading with details and buttons. Takes the focus when the page changes.
 * @param {{ title: string, beside?: Children, children?: Children }} props
 */
export function Head({ title, beside, children }) {
  useEffect(() => {
    document.title = `${title} · ${CONSOLE}`;
  }, [title]);
  return html`<div class="head"><h1 tabindex="-1">${title}</h1>${beside}<span class="space"></span>${children}</div>`;
}

/** @param {{ text: string, label?: string }} props */
export function Copy({ text, label = 'Copy' }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce('Copied');
    } catch {
      announce('Your browser does not allow copying here. Select the text and copy it.');
    }
  };
  return html`<button type="button" class="plain" onClick=${copy}>${label}</button>`;
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;

/** JSON in colour, or plain text. @param {{ value: unknown, label: string }} props */
export function Code({ value, label }) {
  const text = pretty(value);
  const isJson = typeof value !== 'string' || text.startsWith('{') || text.startsWith('[');
  return html`<pre class="code" tabindex="0" role="region" aria-label=${label}>${isJson ? coloured(text) : text}</pre>`;
}

/** @param {string} text */
function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, string, colon, literal] = match;
    parts.push(text.slice(end, match.index));
    if (literal !== undefined) parts.push(html`<span class="literal">${literal}</span>`);
    else parts.push(html`<span class=${colon ? 'key' : 'text'}>${string}</span>`, colon ?? '');
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** Markdown of the documents, of which only code is shown as such. @param {{ text: string }} props */
export function Prose({ text }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** @param {{ title: string, children?: Children }} props */
export function Empty({ title, children }) {
  return html`<div class="empty"><strong>${title}</strong>${children && html`<span>${children}</span>`}</div>`;
}

export function Loading() {
  return html`<p class="loading" aria-busy="true">Loading…</p>`;
}

/** Whether another try can't help. @param {Error} error */
function isFinal(error) {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

/** An error, and how to fix it. @param {{ error: Error | undefined, retry?: () => void }} props */
export function Failure({ error, retry }) {
  if (!error) return null;
  const { violations = [], request_id } = error instanceof ApiError ? error.problem : {};
  const text =
    error instanceof ApiError ? error.message : `The gateway can't be reached. Check that it runs. (${error.message})`;
  return html`<div class="notice bad" role="alert">
    <p>${text}</p>
    ${violations.length > 0 && html`<ul>${violations.map(({ pointer, message }) => html`<li><code>${pointer || 'body'}</code> ${message}</li>`)}</ul>`}
    ${request_id && html`<p class="small">Request <code>${request_id}</code></p>`}
    ${retry && !isFinal(error) && html`<p><button type="button" onClick=${retry}>Try again</button></p>`}
  </div>`;
}

/**
 * Shows a resource once it is there. A page that takes its heading from it has another one until then.
 * @param {{ resource: import('./resource.js').Resource<any>, title?: string, children: (data: any) => Children }} props
 */
export function Loaded({ resource, title, children }) {
  const { data, error, reload } = resource;
  return html`${title && !data && html`<${Head} title=${title} />`}<${Failure} error=${error} retry=${reload} />${data ? children(data) : !error && html`<${Loading} />`}`;
}

/** Names and values; those without a value are left out. @param {{ items: [string, Children][] }} props */
export function Facts({ items }) {
  const shown = items.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
