/** Forms made of JSON Schemas, and actions: forms in dialogs that describe their operation. */
import { useState } from 'preact/hooks';
import { call, facts, session } from './api.js';
import { announce, Copy, Dialog, Facts, Failure, html, Loading, Prose } from './components.js';
import { fillPath, toSchema, useDocument, useOperation } from './documents.js';
import { money, parseJson, words } from './format.js';
import { useAction } from './resource.js';

/** @typedef {import('./documents.js').Schema} Schema */

const ROLES = ['read', 'support', 'act', 'approve'];
const OTHER = '…';

/** The values that a field suggests. @param {Schema} schema @returns {any[]} */
function knownValues(schema) {
  return schema.enum ?? [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(({ enum: values = [] }) => values);
}

/**
 * Fields of the properties of an object.
 * @param {{ schema: Schema, value: Record<string, any>, onChange: (value: Record<string, any>) => void, prefix: string,
 *   except?: readonly string[] }} props
 */
export function ObjectFields({ schema, value, onChange, prefix, except = [] }) {
  const names = Object.keys(schema.properties ?? {}).filter((name) => !except.includes(name));
  return names.map((name) => {
    const part = schema.properties?.[name] ?? {};
    /** @param {any} next */
    const change = (next) => {
      const { [name]: _, ...others } = value;
      onChange(next === undefined ? others : { ...value, [name]: next });
    };
    const required = schema.required?.includes(name) ?? false;
    const field = { name, schema: part, value: value[name], onChange: change, required, id: `${prefix}-${name}` };
    const isObject = part.properties !== undefined && (part.type === 'object' || part.type === undefined);
    if (!isObject) return html`<${Field} key=${name} ...${field} />`;
    return html`<fieldset key=${name}>
      <legend>${name}${!required && html` <span class="quiet">optional</span>`}</legend>
      <div class="fields"><${ObjectFields} schema=${part} value=${value[name] ?? {}} prefix=${field.id} onChange=${(/** @type {any} */ next) => change(Object.keys(next).length > 0 ? next : undefined)} /></div>
    </fieldset>`;
  });
}

/**
 * @param {{ name: string, schema: Schema, value: any, onChange: (value: any) => void, required: boolean, id: string }} props
 */
function Field({ name, schema, value, onChange, required, id }) {
  const hint = schema.description?.split('\n')[0];
  return html`<div class="field">
    <label for=${id}>${name}${!required && html` <span class="quiet">optional</span>`}</label>
    <${Control} schema=${schema} value=${value} onChange=${onChange} required=${required} id=${id} hint=${hint && `${id}-hint`} />
    ${hint && html`<small id=${`${id}-hint`}><${Prose} text=${hint} /></small>`}
  </div>`;
}

/**
 * @typedef {{ schema: Schema, value: any, onChange: (value: any) => void, required: boolean, id: string,
 *   hint: string | undefined }} ControlProps `hint` is the id of the hint
 */

/** @param {ControlProps} props */
function Control(props) {
  const { schema, value, id, hint, required, onChange } = props;
  if (schema.enum || schema.const !== undefined || schema.type === 'boolean') return html`<${Select} ...${props} />`;
  if (schema.type === 'array' && knownValues(schema.items ?? {}).length > 0) return html`<${Checkboxes} ...${props} />`;
  if (knownValues(schema).length > 0) return html`<${OpenSelect} ...${props} />`;
  const numeric = schema.type === 'integer' || schema.type === 'number';
  return html`<input type="text" id=${id} aria-describedby=${hint} required=${required} inputmode=${numeric ? 'decimal' : undefined} autocomplete="off" spellcheck=${false}
      value=${write(value)} onInput=${(/** @type {any} */ event) => onChange(parse(schema, event.target.value))} />`;
}

/** One of the values. @param {ControlProps} props */
function Select({ schema, value, onChange, required, id, hint }) {
  const options = schema.enum ?? (schema.const === undefined ? [true, false] : [schema.const]);
  return html`<select id=${id} aria-describedby=${hint} required=${required} value=${JSON.stringify(value)} onChange=${(/** @type {any} */ event) => onChange(event.target.value === '' ? undefined : JSON.parse(event.target.value))}>
    ${(!required || value === undefined) && html`<option value="">—</option>`}
    ${options.map((option) => html`<option value=${JSON.stringify(option)} selected=${option === value}>${typeof option === 'string' ? option : words(String(option))}</option>`)}
  </select>`;
}

/** One of the known values, or another one. @param {ControlProps} props */
function OpenSelect({ schema, value, onChange, required, id, hint }) {
  const values = knownValues(schema);
  const [other, setOther] = useState(value !== undefined && !values.includes(value));
  /** @param {any} event */
  const change = ({ target }) => {
    setOther(target.value === OTHER);
    onChange(target.value === OTHER || target.value === '' ? undefined : target.value);
  };
  return html`<select id=${id} aria-describedby=${hint} required=${required} onChange=${change}>
      ${(!required || value === undefined) && html`<option value="" selected=${!other && value === undefined}>—</option>`}
      ${values.map((one) => html`<option value=${one} selected=${!other && one === value}>${one}</option>`)}
      <option value=${OTHER} selected=${other}>Another value…</option>
    </select>
    ${other && html`<input type="text" aria-label="Another value" required=${required} autocomplete="off" spellcheck=${false} value=${write(value)} onInput=${(/** @type {any} */ event) => onChange(event.target.value === '' ? undefined : event.target.value)} />`}`;
}

/** Any of the known values. @param {ControlProps} props */
function Checkboxes({ schema, value = [], onChange, id, hint }) {
  const values = knownValues(schema.items ?? {});
  /** @param {string} one @param {boolean} isChecked */
  const change = (one, isChecked) => {
    const next = values.filter((name) => (name === one ? isChecked : value.includes(name)));
    onChange(next.length > 0 ? next : undefined);
  };
  return html`<div id=${id} role="group" aria-describedby=${hint} aria-label="Known values">${values.map(
    (one) =>
      html`<label class="check" key=${one}><input type="checkbox" checked=${value.includes(one)} onChange=${(/** @type {any} */ event) => change(one, event.target.checked)} /> ${one}</label>`,
  )}</div>`;
}

/** @param {any} value */
function write(value) {
  if (value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Parses the input. Invalid text is sent unchanged, so that the gateway explains the error.
 * @param {Schema} schema @param {string} text @returns {any}
 */
function parse(schema, text) {
  if (text === '') return undefined;
  if (schema.type === 'integer' || schema.type === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (schema.type === 'array') {
    const items = text.split(',').map((item) => item.trim());
    return items.filter((item) => item !== '').map((item) => parse(schema.items ?? {}, item));
  }
  if (schema.type === 'object' || (schema.type === undefined && text.startsWith('{'))) return parseJson(text);
  return text;
}

const METHODS = [...new Set(Object.values(facts.methods).flat())];

/** Known values of fields that take any text. @type {Record<string, string[]>} */
const SUGGESTED = {
  method: METHODS,
  payment_method_type: METHODS,
  decline_reason: [...new Set(Object.values(facts.declines).flatMap((reasons) => Object.keys(reasons)))],
  events: facts.webhooks,
};

/** Adds known values to the schema of a form. @param {Schema} schema @param {Record<string, string[]>} suggested @returns {Schema} */
function withSuggestions(schema, suggested) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, part]) => [
    name,
    suggest(part, suggested[name] ?? []),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** @param {Schema} schema @param {string[]} values @returns {Schema} */
function suggest(schema, values) {
  if (values.length === 0 || schema.enum || schema.anyOf) return schema;
  if (schema.type === 'array') return { ...schema, items: suggest(schema.items ?? {}, values) };
  return { ...schema, anyOf: [{ enum: values }, { type: 'string' }] };
}

/**
 * @typedef {{ id: string, parameters?: Record<string, any>, body?: Record<string, any>, initial?: Record<string, any>,
 *   label?: string, done?: (result: any) => string, onDone?: (result: any) => void, onCancel?: () => void,
 *   danger?: boolean, currency?: string }} OperationProps
 *   `parameters` and `body` are given, the form asks for the others, and `initial` are their first values. `done` is announced,
 *   and `currency` is the currency of amounts if the form doesn't ask for it.
 */

/** A form that sends an operation, made from its document. @param {OperationProps} props */
export function OperationForm(props) {
  const { id, parameters = {}, body: given = {}, initial = {}, label, done, onDone, onCancel, danger = false } = props;
  const operation = useOperation(id);
  const operations = useDocument('contract')?.operations.map((one) => one.id) ?? [];
  const [body, setBody] = useState(initial);
  const [asked, setAsked] = useState(/** @type {Record<string, any>} */ ({}));
  const action = useAction(async () => {
    if (!operation) return;
    /** @type {any} */
    let result;
    // An operation that does a part of its work returns the cursor of the next part.
    do {
      const path = fillPath(operation, { ...asked, ...parameters, ...(result && { cursor: result.next_cursor }) });
      result = await call(operation.method, path, operation.body ? { ...body, ...given } : undefined);
    } while (result?.next_cursor);
    announce(done?.(result) ?? `${operation.summary}: done`);
    onDone?.(result);
  });
  if (!operation) return html`<${Loading} />`;
  const missing = toSchema(operation.parameters.filter(({ name }) => parameters[name] === undefined));
  const suggested = { ...SUGGESTED, operation: operations };
  const amount = body['amount'] ?? body['amount_paid'];
  const currency = body['currency'] ?? props.currency;
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    action.run();
  };
  return html`<form class="stack tight" onSubmit=${submit}>
    <p class="quiet small"><${Prose} text=${operation.description} /></p>
    <div class="fields">
      <${ObjectFields} schema=${withSuggestions(missing, suggested)} value=${asked} onChange=${setAsked} prefix=${id} />
      ${operation.body && html`<${ObjectFields} schema=${withSuggestions(operation.body, suggested)} value=${body} onChange=${setBody} prefix=${`${id}-body`} except=${Object.keys(given)} />`}
    </div>
    ${amount !== undefined && currency && html`<p>Amount: <strong class="number">${money(amount, currency)}</strong></p>`}
    <${Failure} error=${action.error} />
    <div class="buttons">
      <button type="submit" class=${danger ? 'danger' : 'primary'} disabled=${action.busy}>${action.busy ? 'Sending…' : (label ?? operation.summary)}</button>
      ${onCancel && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
    </div>
  </form>`;
}

/**
 * A button for an operation that the session may send. Its dialog describes the operation and its object.
 * @param {OperationProps & { button?: string, about?: import('./components.js').Fact[] }} props
 */
export function Action({ button, about = [], ...form }) {
  const operation = useOperation(form.id);
  const [open, setOpen] = useState(false);
  if (!operation || !isAllowed(operation)) return null;
  const close = () => setOpen(false);
  /** @param {any} result */
  const finish = (result) => {
    close();
    form.onDone?.(result);
  };
  return html`<button type="button" class=${form.danger && 'danger'} onClick=${() => setOpen(true)}>${button ?? operation.summary}…</button>
    ${
      open &&
      html`<${Dialog} title=${operation.summary} onClose=${close}>
        ${about.length > 0 && html`<${Facts} items=${about} />`}
        <${OperationForm} ...${form} onDone=${finish} onCancel=${close} />
      </${Dialog}>`
    }`;
}

/** Whether the session may send an operation. @param {import('./documents.js').Operation} operation */
function isAllowed({ role, isForMerchants }) {
  const { operator } = session;
  if (!operator) return isForMerchants;
  return role !== undefined && ROLES.indexOf(operator.role) >= ROLES.indexOf(role);
}

/**
 * An action that creates a secret, which it shows once.
 * @param {{ id: string, button: string, parameters?: Record<string, any>, secretOf: (created: any) => string }} props
 */
export function CreateSecret({ id, button, parameters = {}, secretOf }) {
  const [secret, setSecret] = useState('');
  return html`<${Action} id=${id} button=${button} parameters=${parameters} onDone=${(/** @type {any} */ created) => setSecret(secretOf(created))} />
    ${secret && html`<div class="notice warn" role="status"><p>Shown only now: <code>${secret}</code></p><${Copy} text=${secret} /></div>`}`;
}
