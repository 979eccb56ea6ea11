/** Fields for a value that a JSON Schema describes. What has no field of its own is written as JSON. */
import { words } from './format.js';
import { Prose } from './parts.js';
import { html } from './view.js';

/** @typedef {import('./documents.js').Schema} Schema */

/** The values that a field suggests. @param {Schema} schema @returns {any[]} */
function known(schema) {
  return schema.enum ?? [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(({ enum: values = [] }) => values);
}

/** @param {Schema} schema */
function isObject({ type, properties }) {
  return properties !== undefined && (type === 'object' || type === undefined);
}

/**
 * Fields of the properties of an object.
 * @param {{ schema: Schema, value: Record<string, any>, onChange: (value: Record<string, any>) => void, prefix: string,
 *   only?: string[] }} props
 */
export function ObjectFields({ schema, value, onChange, prefix, only }) {
  const names = Object.keys(schema.properties ?? {}).filter((name) => !only || only.includes(name));
  return names.map((name) => {
    const part = schema.properties?.[name] ?? {};
    /** @param {any} next */
    const change = (next) => {
      const { [name]: _, ...others } = value;
      onChange(next === undefined ? others : { ...value, [name]: next });
    };
    const required = schema.required?.includes(name) ?? false;
    const field = { name, schema: part, value: value[name], onChange: change, required, id: `${prefix}-${name}` };
    if (!isObject(part)) return html`<${Field} key=${name} ...${field} />`;
    return html`<fieldset key=${name}>
      <legend>${name}${!required && html` <span class="quiet">optional</span>`}</legend>
      <div class="fields"><${ObjectFields} schema=${part} value=${value[name] ?? {}} prefix=${field.id} onChange=${(/** @type {any} */ next) => change(Object.keys(next).length > 0 ? next : undefined)} /></div>
    </fieldset>`;
  });
}

/**
 * @param {{ name: string, schema: Schema, value: any, onChange: (value: any) => void, required?: boolean, id: string }} props
 */
export function Field({ name, schema, value, onChange, required = false, id }) {
  const hint = schema.description?.split('\n')[0];
  return html`<div class="field">
    <label for=${id}>${name}${!required && html` <span class="quiet">optional</span>`}</label>
    <${Control} schema=${schema} value=${value} onChange=${onChange} required=${required} id=${id} hint=${hint && `${id}-hint`} />
    ${hint && html`<small id=${`${id}-hint`}><${Prose} text=${hint} /></small>`}
  </div>`;
}

/**
 * @param {{ schema: Schema, value: any, onChange: (value: any) => void, required: boolean, id: string,
 *   hint: string | undefined }} props `hint` is the id of the hint
 */
function Control({ schema, value, onChange, required, id, hint }) {
  const values = known(schema);
  if (schema.enum || schema.const !== undefined || schema.type === 'boolean') {
    const options = schema.enum ?? (schema.const === undefined ? [true, false] : [schema.const]);
    return html`<select id=${id} aria-describedby=${hint} required=${required} value=${JSON.stringify(value)} onChange=${(/** @type {any} */ event) => onChange(event.target.value === '' ? undefined : JSON.parse(event.target.value))}>
      ${(!required || value === undefined) && html`<option value="">—</option>`}
      ${options.map((option) => html`<option value=${JSON.stringify(option)} selected=${option === value}>${typeof option === 'string' ? option : words(String(option))}</option>`)}
    </select>`;
  }
  const numeric = schema.type === 'integer' || schema.type === 'number';
  /** @param {any} event */
  const change = (event) => onChange(parse(schema, event.target.value));
  return html`<input type="text" id=${id} aria-describedby=${hint} required=${required} inputmode=${numeric ? 'decimal' : undefined} autocomplete="off" spellcheck=${false}
      list=${values.length > 0 ? `${id}-values` : undefined} value=${write(value)} onInput=${change} />
    ${values.length > 0 && html`<datalist id=${`${id}-values`}>${values.map((one) => html`<option value=${one} />`)}</datalist>`}`;
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
  if (schema.type === 'object' || (schema.type === undefined && text.startsWith('{'))) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
