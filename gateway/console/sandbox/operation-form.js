/** A form that sends one operation of the sandbox, made from its document. */
import { useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { call } from '../shared/api.js';
import { Failure, Loading, Prose } from '../shared/parts.js';
import { useAction } from '../shared/resource.js';
import { html } from '../shared/view.js';
import { useChoices } from './choices.js';
import { useDocument } from './documents.js';
import { ObjectFields } from './schema-form.js';

/** @typedef {import('./documents.js').Operation} Operation */

/** The path of an operation with its parameters. @param {Operation} operation @param {Record<string, any>} parameters */
export function pathOf({ path, parameters: described }, parameters) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? `{${name}}`));
  const search = described
    .filter((one) => one.in === 'query' && parameters[one.name] !== undefined && parameters[one.name] !== '')
    .map(({ name }) => `${name}=${encodeURIComponent(parameters[name])}`);
  return search.length > 0 ? `${filled}?${search.join('&')}` : filled;
}

/**
 * @param {{ id: string, parameters?: Record<string, any>, initial?: Record<string, any>, label?: string, done?: string,
 *   onDone?: (result: any) => void, danger?: boolean }} props
 *   `parameters` are given; the form asks for those that are missing. `done` is announced after a success.
 */
export function OperationForm({ id, parameters: given = {}, initial = {}, label, done, onDone, danger = false }) {
  const operation = useDocument('sandbox')?.operations.find((one) => one.id === id);
  const offer = useChoices();
  const [body, setBody] = useState(/** @type {Record<string, any>} */ (initial));
  const [asked, setAsked] = useState(/** @type {Record<string, any>} */ ({}));
  const action = useAction(async () => {
    if (!operation) return;
    const path = pathOf(operation, { ...asked, ...given });
    const result = await call(operation.method, path, operation.body ? body : undefined);
    announce(done ?? `${operation.summary}: done`);
    onDone?.(result);
  });
  if (!operation) return html`<${Loading} />`;
  const missing = operation.parameters.filter(({ name }) => given[name] === undefined);
  const askedSchema = {
    properties: Object.fromEntries(missing.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: missing.filter(({ required }) => required).map(({ name }) => name),
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    action.run();
  };
  return html`<form class="stack tight" onSubmit=${submit}>
    <p class="quiet small"><${Prose} text=${operation.description.trim()} /></p>
    <div class="fields">
      <${ObjectFields} schema=${offer(askedSchema)} value=${asked} onChange=${setAsked} prefix=${id} />
      ${operation.body && html`<${ObjectFields} schema=${offer(operation.body)} value=${body} onChange=${setBody} prefix=${`${id}-body`} />`}
    </div>
    <${Failure} error=${action.error} />
    <div class="buttons"><button type="submit" class=${danger ? 'danger' : 'primary'} disabled=${action.busy}>${action.busy ? 'Sending…' : (label ?? operation.summary)}</button></div>
  </form>`;
}
