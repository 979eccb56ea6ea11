/** The form of an operation: an input for each value, and the body as JSON. */
import { html } from './html.js';
import { freshOrderId, parsed, valueAt, withValue } from './request.ts';

const TITLES = { path: 'Path', query: 'Query', body: 'Body' };

/** `change(place, values)` is called with the new values of a place. */
export const Form = {
  props: ['inputs', 'values', 'change', 'invalid'],
  setup(props) {
    const set = (input, text) => {
      const value = parsed(text, input.type);
      props.change(input.place, withValue(props.values[input.place], input.name, value));
    };
    return () =>
      Object.entries(TITLES).map(([place, title]) => {
        const own = props.inputs.filter((input) => input.place === place);
        if (own.length === 0) return null;
        return html`
          <fieldset key=${place}>
            <legend>${title}</legend>
            <div class="inputs">${own.map((input) => field(input, props.values[place], set))}</div>
            ${place === 'body' && bodyText(props)}
          </fieldset>
        `;
      });
  },
};

function field(input, values, set) {
  const id = `try-${input.place}-${input.name}`;
  const value = valueAt(values, input.name) ?? '';
  const isOrderId = input.name === 'merchant_order_id' && input.place === 'body';
  const onInput = (event) => set(input, event.target.value);
  return html`
    <div class="input" key=${id}>
      <label for=${id}><code>${input.name}</code>${input.required ? '' : html`<span> optional</span>`}</label>
      ${
        input.values
          ? select(id, input, String(value), onInput)
          : html`<input
              id=${id}
              inputmode=${input.type === 'integer' ? 'numeric' : undefined}
              autocomplete="off"
              spellcheck="false"
              value=${String(value)}
              onInput=${onInput}
            />`
      }
      ${input.testValues && testValues(input, onInput)}
      ${isOrderId && html`<button type="button" class="small" onClick=${() => set(input, freshOrderId())}>New ID</button>`}
    </div>
  `;
}

/** The known values. Another one can be set in the body as JSON, and is then part of the list. */
function select(id, { values, required }, value, onChange) {
  const all = [...new Set([...(required ? [] : ['']), ...values.map(String), value])];
  return html`<select id=${id} value=${value} onChange=${onChange}>${all.map((each) => html`<option key=${each} value=${each}>${each || 'not sent'}</option>`)}</select>`;
}

/** Fills in a value that makes a sandbox do something. */
function testValues({ name, testValues: all }, choose) {
  const onChange = (event) => {
    choose(event);
    event.target.value = '';
  };
  return html`
    <select class="small" aria-label=${`Test values of ${name.replaceAll(/[._]/g, ' ')}`} onChange=${onChange}>
      <option value="">Choose a test value …</option>
      ${all.map(({ value, summary }) => html`<option key=${value} value=${value}>${value}: ${summary}</option>`)}
    </select>
  `;
}

/** Accepts fields beyond the form's, including values that the service should reject. */
function bodyText({ values, change, invalid }) {
  const read = (event) => {
    try {
      change('body', JSON.parse(event.target.value));
    } catch (error) {
      change('body', values.body, error.message);
    }
  };
  return html`
    <details>
      <summary>Body as JSON</summary>
      <textarea
        aria-label="Body as JSON"
        rows="14"
        spellcheck="false"
        aria-invalid=${invalid ? 'true' : undefined}
        value=${JSON.stringify(values.body, null, 2)}
        onChange=${read}
      />
      ${invalid && html`<p class="finding">${invalid}</p>`}
    </details>
  `;
}
