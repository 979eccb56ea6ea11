/** The commands that change what a page shows. */
import { BASE } from '../shared/api.js';
import { Copy } from '../shared/parts.js';
import { html } from '../shared/view.js';
import { facts } from './admin-facts.js';
import { COMMANDS } from './commands.js';

/** The gateway's own address: the console's requests go to its management API. */
const GATEWAY = BASE.replace(/\/management$/, '');

const SETUP = `export GATEWAY_URL=${GATEWAY}
export OPERATOR_KEY=op_…`;

/** A change, by its operationId, and the values that its commands name. @typedef {[id: string, values: import('./commands.js').Values]} Listed */

/** @param {{ of: Listed[] }} props */
export function Commands({ of }) {
  return html`<section class="card stack tight" aria-labelledby="commands">
    <h2 id="commands">Commands</h2>
    <p class="quiet small">This console changes nothing. Run a command on a machine that reaches the gateway, with words in capitals replaced.</p>
    ${of.map((one) => html`<${Change} key=${one[0]} of=${one} />`)}
    <details><summary>Before the first command</summary><${Shell} text=${SETUP} label="Settings of the commands" /></details>
  </section>`;
}

/** The commands of one change, folded. @param {{ of: Listed }} props */
export function Change({ of: [id, values] }) {
  const change = facts.changes[id];
  const commands = change ? COMMANDS[id]?.(values, change) : undefined;
  if (!change || !commands) return null;
  return html`<details><summary>${change.summary}</summary>
    <p class="quiet small">Takes the role <code>${change.role}</code>.</p>
    ${commands.map((text, index) => html`<${Shell} key=${index} text=${text} label=${commands.length > 1 ? `${change.summary}, ${index + 1}` : change.summary} />`)}
  </details>`;
}

/** @param {{ text: string, label: string }} props */
function Shell({ text, label }) {
  return html`<div class="command"><pre class="code" tabindex="0" role="region" aria-label=${label}>${text}</pre><${Copy} text=${text} /></div>`;
}
