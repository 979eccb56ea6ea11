/** A form for a JSON Schema. Values without a matching field are edited as JSON. */
import { useState } from 'preact/hooks';
import { words } from '../shared/format.js';
import { Prose } from '../shared/parts.js';
import { html } from '../shared/view.js';

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
 * @typedef {{ schema: Schema, value: any, onChange: (value: any) => void, required: boolean, id: string,
 *   hint: string | undefined }} ControlProps `hint` is the id of the hint
 */

/** @param {ControlProps} props */
function Control(props) {
  const { schema, value } = props;
  if (schema.enum || schema.const !== undefined || schema.type === 'boolean') return html`<${Select} ...${props} />`;
  if (schema.type === 'array' && known(schema.items ?? {}).length > 0) return html`<${Several} ...${props} />`;
  if (known(schema).length > 0) return html`<${OpenSelect} ...${props} />`;
  const { id, hint, required, onChange } = props;
  const numeric = schema.type === 'integer' || schema.type === 'number';
  /** @param {any} event */
  const change = (event) => onChange(parse(schema, event.target.value));
  return html`<input type="text" id=${id} aria-describedby=${hint} required=${required} inputmode=${numeric ? 'decimal' : undefined} autocomplete="off" spellcheck=${false}
      value=${write(value)} onInput=${change} />`;
}

/** One of the values. @param {ControlProps} props */
function Select({ schema, value, onChange, required, id, hint }) {
  const options = schema.enum ?? (schema.const === undefined ? [true, false] : [schema.const]);
  return html`<select id=${id} aria-describedby=${hint} required=${required} value=${JSON.stringify(value)} onChange=${(/** @type {any} */ event) => onChange(event.target.value === '' ? undefined : JSON.parse(event.target.value))}>
    ${(!required || value === undefined) && html`<option value="">—</option>`}
    ${options.map((option) => html`<option value=${JSON.stringify(option)} selected=${option === value}>${typeof option === 'string' ? option : words(String(option))}</option>`)}
  </select>`;
}

const OTHER = '…';

/** One of the known values, or another one. @param {ControlProps} props */
function OpenSelect({ schema, value, onChange, required, id, hint }) {
  const values = known(schema);
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
function Several({ schema, value = [], onChange, id, hint }) {
  const values = known(schema.items ?? {});
  /** @param {string} one @param {boolean} chosen */
  const change = (one, chosen) => {
    const next = values.filter((name) => (name === one ? chosen : value.includes(name)));
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
  if (schema.type === 'object' || (schema.type === undefined && text.startsWith('{'))) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
