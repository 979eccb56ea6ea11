/** Components of all pages. What is put into a template of `html` is never read as HTML. */
import htm from 'htm';
import { h } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.js';
import { pretty, time } from './format.js';
import { useResource } from './resource.js';
import { idHref } from './router.js';

export const html = htm.bind(h);

/**
 * @typedef {import('preact').ComponentChildren} Children
 * @typedef {[name: string, value: Children]} Fact
 */

/** The title of the document before the first page. */
const CONSOLE = document.title;
const TOAST_MS = 5_000;

/** @type {Record<string, string[]>} */
const STATUSES_BY_TONE = {
  good: ['SUCCESS', 'delivered', 'approved', 'up', 'ok', 'succeeded'],
  bad: ['FAILED', 'failed', 'down', 'given_up', 'declined', 'no_response', 'invalid_result'],
  warn: [
    ...['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED', 'waiting', 'overloaded', 'slow', 'lost_response', 'open'],
    ...['stopped', 'paused', 'disabled', 'unavailable'],
  ],
  info: ['CREATED', 'VERIFYING', 'PROCESSING', 'manual', 'ask_again'],
};

const TONES = Object.fromEntries(
  Object.entries(STATUSES_BY_TONE).flatMap(([tone, statuses]) => statuses.map((status) => [status, tone])),
);

/** @param {string | undefined} status */
export function toTone(status) {
  return TONES[status ?? ''] ?? '';
}

/** @param {number} status */
export function toHttpTone(status) {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** @param {{ value: string | number, tone?: string }} props */
export function Status({ value, tone = toTone(String(value)) }) {
  // Narrow columns break it between its words.
  const parts = String(value).split(/(?<=_)/);
  return html`<span class=${`status ${tone}`}>${parts.map((part, index) => [index > 0 && html`<wbr />`, part])}</span>`;
}

/** The status of a response. @param {{ value: number }} props */
export function HttpStatus({ value }) {
  return html`<${Status} value=${value} tone=${toHttpTone(value)} />`;
}

/** The status of the response, or why there was none. @param {{ attempt: { status?: number, error?: string } }} props */
export function Outcome({ attempt: { status, error } }) {
  if (status === undefined) return html`<${Status} value=${error ?? 'no response'} tone="bad" />`;
  return html`<${HttpStatus} value=${status} />`;
}

/** @param {{ at: string }} props */
export function Time({ at }) {
  return html`<time class="quiet number" datetime=${at} title=${`${at} (UTC)`}>${time(at)}</time>`;
}

/** An id, as a link if it has a page. @param {{ id?: string }} props */
export function IdLink({ id = '' }) {
  const address = idHref(id);
  return address ? html`<a class="mono" href=${address}>${id}</a>` : id;
}

/** Who did something, when, and why. @param {{ by?: { name: string }, at: string, reason?: string }} props */
export function Person({ by, at, reason }) {
  return html`${by?.name ?? 'The gateway'} <${Time} at=${at} />${reason && `: ${reason}`}`;
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

/** @param {{ title: Children, beside?: Children, kind?: string, children?: Children }} props `kind` is a further class */
export function Card({ title, beside, kind = '', children }) {
  const id = useId();
  return html`<section class=${`card ${kind}`} aria-labelledby=${id}>
    <div class="cardhead"><h2 id=${id}>${title}</h2>${beside && html`<span class="buttons">${beside}</span>`}</div>
    ${children}
  </section>`;
}

/** Names and values; those without a value are left out. @param {{ items: Fact[] }} props */
export function Facts({ items }) {
  const shown = items.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** @param {{ links: [title: string, address: string, current: boolean][], label: string }} props */
export function Tabs({ links, label }) {
  return html`<nav class="tabs" aria-label=${label}>${links.map(
    ([title, address, current]) => html`<a href=${address} aria-current=${current ? 'page' : undefined}>${title}</a>`,
  )}</nav>`;
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

/** JSON in color, or plain text. @param {{ value: unknown, label: string }} props */
export function Code({ value, label }) {
  const text = pretty(value);
  const isJson = typeof value !== 'string' || text.startsWith('{') || text.startsWith('[');
  return html`<pre class="code" tabindex="0" role="region" aria-label=${label}>${isJson ? highlight(text) : text}</pre>`;
}

/** @param {string} text */
function highlight(text) {
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

/** HTTP headers, folded. @param {{ title: string, headers: [name: string, value: string][] }} props */
export function Headers({ title, headers }) {
  return html`<details><summary>${title}</summary><${Facts} items=${headers.map(([name, value]) => [name, html`<span class="mono">${value}</span>`])} /></details>`;
}

/** Markdown, of which only code is formatted. @param {{ text: string }} props */
export function Prose({ text }) {
  return text
    .trim()
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** @param {{ title: string, children?: Children }} props */
export function Empty({ title, children }) {
  return html`<div class="empty"><strong>${title}</strong>${children && html`<span>${children}</span>`}</div>`;
}

export function Loading() {
  return html`<p class="loading" aria-busy="true">Loading…</p>`;
}

/**
 * A component whose module is loaded when it is first shown.
 * @param {() => Promise<import('preact').FunctionComponent<any>>} load
 */
export function lazy(load) {
  /** @type {import('preact').FunctionComponent<any> | undefined} */
  let View;
  /** @param {object} props */
  return function Lazy(props) {
    const [error, setError] = useState(/** @type {Error | undefined} */ (undefined));
    const [, setLoaded] = useState(View !== undefined);
    const open = () => {
      setError(undefined);
      load().then((view) => {
        View = view;
        setLoaded(true);
      }, setError);
    };
    useEffect(() => void (View ?? open()), []);
    if (error) return html`<${Failure} error=${error} retry=${open} />`;
    return View ? html`<${View} ...${props} />` : html`<${Loading} />`;
  };
}

/** An error, and how to fix it. @param {{ error: Error | undefined, retry?: () => void }} props */
export function Failure({ error, retry }) {
  if (!error) return null;
  const { status = 0, problem = {} } = error instanceof ApiError ? error : {};
  const { violations = [], request_id } = problem;
  const text = status > 0 ? error.message : `The gateway can't be reached. Check that it runs. (${error.message})`;
  const canRetry = status === 0 || status >= 500 || status === 429;
  return html`<div class="notice bad" role="alert">
    <p>${text}</p>
    ${violations.length > 0 && html`<ul>${violations.map(({ pointer, message }) => html`<li><code>${pointer || 'body'}</code> ${message}</li>`)}</ul>`}
    ${request_id && html`<p class="small">Request <code>${request_id}</code></p>`}
    ${retry && canRetry && html`<p><button type="button" onClick=${retry}>Try again</button></p>`}
  </div>`;
}

/**
 * @typedef {{ path?: string | undefined, live?: import('./resource.js').Wanted, resource?: import('./resource.js').Resource<any> }} Source
 *   The path of the data and the changes after which they are read again, or data that the page reads itself
 */

/**
 * Shows data of the API once they are loaded. `title` is the heading of the page until then.
 * @param {Source & { title?: string, children: (data: any) => Children }} props
 */
export function Loaded({ path, live, resource, title, children }) {
  const own = useResource(path, live);
  const { data, error, reload } = resource ?? own;
  return html`${title && !data && html`<${Head} title=${title} />`}<${Failure} error=${error} retry=${reload} />${data ? children(data) : !error && html`<${Loading} />`}`;
}

/** A modal dialog while it is rendered. @param {{ title: string, onClose: () => void, children?: Children }} props */
export function Dialog({ title, onClose, children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closing returns the focus, removing doesn't.
    return () => dialog?.close();
  }, []);
  return html`<dialog ref=${ref} aria-label=${title} onClose=${onClose}>
    <div class="cardhead"><h2>${title}</h2><button type="button" class="plain" onClick=${onClose}>Close</button></div>
    ${children}
  </dialog>`;
}

/** @type {(text: string) => void} */
let show = () => undefined;

/** Shows the result of an action as a toast, which screen readers read out. @param {string} text */
export function announce(text) {
  show(text);
}

export function Toast() {
  const [text, setText] = useState('');
  useEffect(() => {
    show = setText;
  }, []);
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => setText(''), TOAST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class="toast" role="status">${text}</div>`;
}
