/** A form for each operation, made from the documents, which sends the request from here. */
import { useState } from 'preact/hooks';
import { BASE, send } from './api.js';
import {
  announce,
  Card,
  Code,
  Copy,
  Empty,
  Failure,
  Head,
  Headers,
  HttpStatus,
  html,
  Loading,
  Prose,
} from './components.js';
import { fillPath, toSchema, useDocument } from './documents.js';
import { curl, duration, parseJson } from './format.js';
import { ObjectFields } from './forms.js';
import { useAction } from './resource.js';
import { go, href, idHref } from './router.js';

/**
 * @typedef {import('./documents.js').Operation} Operation
 * @typedef {{ status: number, ms: number, headers: [string, string][], text: string }} Result
 */

/** Operations whose responses never end. */
const STREAMS = ['streamChanges'];

/** @param {{ id?: string }} props */
export function Explorer({ id }) {
  const contract = useDocument('contract');
  const management = useDocument('management');
  const sandbox = useDocument('sandbox');
  if (!contract || !management || !sandbox) return html`<${Head} title="Explorer" /><${Loading} />`;
  const documents = [contract, management, sandbox].map(({ title, operations }) => ({
    title,
    operations: operations.filter(({ id: name, isForMerchants }) => isForMerchants && !STREAMS.includes(name)),
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
            html`<h2 class="group">${title}</h2>${groupByTag(operations).map(
              ([tag, ofTag]) =>
                html`<h3 class="group">${tag}</h3><ul>${ofTag.map(
                  (one) =>
                    html`<li><a href=${href(['explorer', one.id])} aria-current=${one.id === chosen?.id ? 'page' : undefined}>${one.summary}</a></li>`,
                )}</ul>`,
            )}`,
        )}</div>
      </nav>
      ${chosen ? html`<${RequestForm} key=${chosen.id} operation=${chosen} />` : html`<${Empty} title=${`There is no operation ${id}`}>Choose one from the list.</${Empty}>`}
    </div>`;
}

/** @param {Operation[]} operations @returns {[tag: string, operations: Operation[]][]} */
function groupByTag(operations) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((tag) => [tag, operations.filter((one) => one.tag === tag)]);
}

/** The example with a new order id, since each can be used once. @param {any} value */
function withNewOrder(value) {
  return value?.merchant_order_id ? { ...value, merchant_order_id: `console-${Date.now().toString(36)}` } : value;
}

/** @param {{ operation: Operation }} props */
function RequestForm({ operation }) {
  const [parameters, setParameters] = useState(/** @type {Record<string, any>} */ ({}));
  const [body, setBody] = useState(/** @type {any} */ (withNewOrder(operation.examples[0]?.value) ?? {}));
  // Undefined while the body is edited in fields.
  const [text, setText] = useState(/** @type {string | undefined} */ (undefined));
  const [result, setResult] = useState(/** @type {Result | undefined} */ (undefined));
  const path = fillPath(operation, parameters);
  const json = operation.body ? (text ?? JSON.stringify(body)) : undefined;
  const action = useAction(async () => {
    const began = performance.now();
    const response = await send(operation.method, path, json);
    const received = await response.text();
    const { status, headers } = response;
    setResult({ status, ms: performance.now() - began, headers: [...headers], text: received });
    announce(`Response ${status}`);
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
      ${
        operation.parameters.length > 0 &&
        html`<fieldset><legend>Parameters</legend><div class="fields"><${ObjectFields} schema=${toSchema(operation.parameters)} value=${parameters} onChange=${setParameters} prefix="parameter" /></div></fieldset>`
      }
      ${operation.body && html`<${Body} operation=${operation} value=${body} onChange=${setBody} text=${text} onText=${setText} />`}
      <div class="buttons">
        <button type="submit" class="primary" disabled=${action.busy}>${action.busy ? 'Sending…' : 'Send'}</button>
        <${Copy} text=${curl(operation.method, BASE + path, parseJson(json))} label="Copy as curl" />
      </div>
      <${Failure} error=${action.error} />
    </form>
    ${result && html`<${Response} result=${result} />`}
  </div>`;
}

/**
 * @param {{ operation: Operation, value: any, onChange: (value: any) => void, text: string | undefined,
 *   onText: (text: string | undefined) => void }} props
 */
function Body({ operation, value, onChange, text, onText }) {
  const isInvalid = text !== undefined && typeof parseJson(text) === 'string' && text !== '';
  const toggle = () => {
    if (text === undefined) return onText(JSON.stringify(value, null, 2));
    const next = parseJson(text);
    if (typeof next === 'object' && next !== null) onChange(next);
    onText(undefined);
  };
  /** @param {any} event */
  const choose = (event) => {
    const example = withNewOrder(operation.examples[Number(event.target.value)]?.value);
    onChange(example);
    if (text !== undefined) onText(JSON.stringify(example, null, 2));
  };
  return html`<fieldset class="stack tight"><legend>Body</legend>
    <div class="filters">
      ${operation.examples.length > 0 && html`<label class="field"><span>Example</span><select onChange=${choose}>${operation.examples.map(({ summary }, index) => html`<option value=${index}>${summary}</option>`)}</select></label>`}
      <button type="button" disabled=${isInvalid} aria-pressed=${String(text !== undefined)} onClick=${toggle}>Edit as JSON</button>
    </div>
    ${
      text === undefined
        ? html`<div class="fields"><${ObjectFields} schema=${operation.body} value=${value} onChange=${onChange} prefix="body" /></div>`
        : html`<textarea aria-label="Body as JSON" aria-invalid=${String(isInvalid)} spellcheck=${false} value=${text} onInput=${(/** @type {any} */ event) => onText(event.target.value)}></textarea>`
    }
    ${isInvalid && html`<p class="notice warn">This is not valid JSON. It is sent unchanged.</p>`}
  </fieldset>`;
}

/** @param {{ result: Result }} props */
function Response({ result: { status, ms, headers, text } }) {
  const id = String(parseJson(text)?.transaction_id ?? '');
  const address = idHref(id);
  return html`<${Card} title=${html`Response <${HttpStatus} value=${status} />`} kind="stack tight" beside=${html`<span class="quiet small number">${duration(Math.round(ms))}</span>`}>
    ${address && html`<p><a href=${address}>Open ${id}</a></p>`}
    ${text ? html`<${Code} value=${text} label="Body of the response" />` : html`<p class="quiet">No body.</p>`}
    <${Headers} title="Headers" headers=${headers} />
  </${Card}>`;
}
