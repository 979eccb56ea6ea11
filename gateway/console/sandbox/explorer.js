/** A form for each operation, made from the documents, which sends the request from here. */
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { BASE, send } from '../shared/api.js';
import { duration } from '../shared/format.js';
import { Code, Copy, Empty, Facts, Failure, Head, Loading, Prose, Status, toneOfHttp } from '../shared/parts.js';
import { useAction } from '../shared/resource.js';
import { go, href, transactionHref } from '../shared/router.js';
import { curl } from '../shared/shell.js';
import { html } from '../shared/view.js';
import { useDocument } from './documents.js';
import { pathOf } from './operation-form.js';
import { ObjectFields } from './schema-form.js';

/**
 * @typedef {import('./documents.js').Operation} Operation
 * @typedef {{ status: number, ms: number, headers: [string, string][], text: string }} Result
 */

/** Responses that never end. */
const STREAMS = ['streamChanges'];

/** @param {{ id?: string }} props */
export function Explorer({ id }) {
  const contract = useDocument('contract');
  const sandbox = useDocument('sandbox');
  if (!contract || !sandbox) return html`<${Head} title="Explorer" /><${Loading} />`;
  const documents = [contract, sandbox].map(({ title, operations }) => ({
    title,
    operations: operations.filter((one) => !STREAMS.includes(one.id)),
  }));
  const all = documents.flatMap(({ operations }) => operations);
  const chosen = all.find((one) => one.id === (id ?? all[0]?.id));
  return html`<${Head} title="Explorer" />
    <div class="explorer">
      <nav class="operations card" aria-label="Operations">
        <label class="field narrowonly"><span>Operation</span><select onChange=${(/** @type {any} */ event) => go(href(['explorer', event.target.value]))}>
          ${documents.map(({ title, operations }) => html`<optgroup label=${title}>${operations.map((one) => html`<option value=${one.id} selected=${one.id === chosen?.id}>${one.id}</option>`)}</optgroup>`)}
        </select></label>
        <div class="wide">${documents.map(
          ({ title, operations }) =>
            html`<h2 class="group">${title}</h2>${tagsOf(operations).map(
              ([tag, ofTag]) =>
                html`<h3 class="group">${tag}</h3><ul>${ofTag.map(
                  (one) =>
                    html`<li><a href=${href(['explorer', one.id])} aria-current=${one.id === chosen?.id ? 'page' : undefined}>${one.summary}</a></li>`,
                )}</ul>`,
            )}`,
        )}</div>
      </nav>
      ${chosen ? html`<${Try} key=${chosen.id} operation=${chosen} />` : html`<${Empty} title=${`There is no operation ${id}`}>Choose one from the list.</${Empty}>`}
    </div>`;
}

/** @param {Operation[]} operations @returns {[tag: string, operations: Operation[]][]} */
function tagsOf(operations) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((tag) => [tag, operations.filter((one) => one.tag === tag)]);
}

/** An order id of the examples can be used once. @param {any} value */
function fresh(value) {
  return value?.merchant_order_id ? { ...value, merchant_order_id: `console-${Date.now().toString(36)}` } : value;
}

/** @param {{ operation: Operation }} props */
function Try({ operation }) {
  const [parameters, setParameters] = useState(/** @type {Record<string, any>} */ ({}));
  const [body, setBody] = useState(/** @type {any} */ (fresh(operation.examples[0]?.value) ?? {}));
  const [text, setText] = useState(/** @type {string | undefined} */ (undefined));
  const [result, setResult] = useState(/** @type {Result | undefined} */ (undefined));
  const path = pathOf(operation, parameters);
  const json = operation.body ? (text ?? JSON.stringify(body)) : undefined;
  const action = useAction(async () => {
    const began = performance.now();
    const response = await send(operation.method, path, json);
    const received = await response.text();
    setResult({
      status: response.status,
      ms: performance.now() - began,
      headers: [...response.headers],
      text: received,
    });
    announce(`Response ${response.status}`);
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    action.run();
  };
  return html`<div class="stack">
    <form class="card stack" onSubmit=${submit} aria-labelledby="operation">
      <div><h2 id="operation">${operation.summary}</h2><p class="mono quiet"><strong>${operation.method}</strong> ${operation.path}</p></div>
      <p class="quiet small"><${Prose} text=${operation.description.trim().split('\n\n')[0] ?? ''} /></p>
      <${Parameters} operation=${operation} value=${parameters} onChange=${setParameters} />
      ${operation.body && html`<${Body} operation=${operation} value=${body} onChange=${setBody} text=${text} onText=${setText} />`}
      <div class="buttons">
        <button type="submit" class="primary" disabled=${action.busy}>${action.busy ? 'Sending…' : 'Send'}</button>
        <${Copy} text=${curl(operation.method, BASE + path, parsed(json))} label="Copy as curl" />
      </div>
      <${Failure} error=${action.error} />
    </form>
    ${result && html`<${Response} result=${result} />`}
  </div>`;
}

/** @param {string | undefined} json */
function parsed(json) {
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** @param {{ operation: Operation, value: any, onChange: (value: any) => void }} props */
function Parameters({ operation, value, onChange }) {
  if (operation.parameters.length === 0) return null;
  const schema = {
    properties: Object.fromEntries(
      operation.parameters.map(({ name, schema: own, description }) => [
        name,
        { ...own, description: description ?? own.description },
      ]),
    ),
    required: operation.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return html`<fieldset><legend>Parameters</legend><div class="fields"><${ObjectFields} schema=${schema} value=${value} onChange=${onChange} prefix="parameter" /></div></fieldset>`;
}

/**
 * @param {{ operation: Operation, value: any, onChange: (value: any) => void, text: string | undefined,
 *   onText: (text: string | undefined) => void }} props `text` is undefined while the fields are shown
 */
function Body({ operation, value, onChange, text, onText }) {
  const invalid = text !== undefined && typeof parsed(text) === 'string' && text !== '';
  useEffect(() => onText(undefined), [operation.id]);
  const toggle = () => {
    if (text === undefined) return onText(JSON.stringify(value, null, 2));
    const next = parsed(text);
    if (typeof next === 'object' && next !== null) onChange(next);
    onText(undefined);
  };
  /** @param {any} event */
  const choose = (event) => {
    const example = fresh(operation.examples[Number(event.target.value)]?.value);
    onChange(example);
    if (text !== undefined) onText(JSON.stringify(example, null, 2));
  };
  return html`<fieldset class="stack tight"><legend>Body</legend>
    <div class="filters">
      ${operation.examples.length > 0 && html`<label class="field"><span>Example</span><select onChange=${choose}>${operation.examples.map(({ summary }, index) => html`<option value=${index}>${summary}</option>`)}</select></label>`}
      <button type="button" disabled=${invalid} aria-pressed=${String(text !== undefined)} onClick=${toggle}>Edit as JSON</button>
    </div>
    ${
      text === undefined
        ? html`<div class="fields"><${ObjectFields} schema=${operation.body} value=${value} onChange=${onChange} prefix="body" /></div>`
        : html`<textarea aria-label="Body as JSON" aria-invalid=${String(invalid)} spellcheck=${false} value=${text} onInput=${(/** @type {any} */ event) => onText(event.target.value)}></textarea>`
    }
    ${invalid && html`<p class="notice warn">This is not valid JSON. It is sent as it is.</p>`}
  </fieldset>`;
}

/** @param {{ result: Result }} props */
function Response({ result: { status, ms, headers, text } }) {
  const body = /** @type {any} */ (parsed(text));
  const id = body?.transaction_id;
  return html`<section class="card stack tight" aria-labelledby="response">
    <div class="cardhead"><h2 id="response">Response <${Status} value=${status} tone=${toneOfHttp(status)} /></h2><span class="quiet small number">${duration(Math.round(ms))}</span></div>
    ${id && html`<p><a href=${transactionHref(String(id))}>Open ${id}</a></p>`}
    ${text ? html`<${Code} value=${text} label="Body of the response" />` : html`<p class="quiet">No body.</p>`}
    <details><summary>Headers</summary><${Facts} items=${headers.map(([name, value]) => [name, html`<span class="mono">${value}</span>`])} /></details>
  </section>`;
}
