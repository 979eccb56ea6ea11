/** Shows what happened behind a response: the transaction's status, its ledger entries and webhooks as they come, and later times. */
import { onBeforeUnmount, ref, shallowReactive, shallowRef, watch } from 'vue';
import { html } from './html.js';
import { pretty } from './response.js';

const TIMES = ['15m', '2h', '3d'];
/** A change often comes with others. */
const SETTLE_MS = 50;

/**
 * `sandbox` has the operations of a sandbox, and `service` says when something has changed. `onRead` is called with the
 * transaction as the API returns it. `consoleUrl` is the gateway's console, if it has one.
 */
export const Behind = {
  props: ['service', 'sandbox', 'kind', 'id', 'declines', 'consoleUrl', 'onRead'],
  setup(props) {
    const state = shallowReactive({ found: undefined, problem: '', busy: false, decline: props.declines?.[0] ?? '' });
    let timer;
    const read = async () => {
      const { json } = await props.sandbox.inspect(props.kind, props.id);
      state.found = json;
      if (json) props.onRead?.(json.resource);
      return json !== undefined;
    };
    const soon = () => {
      timer ??= setTimeout(async () => {
        timer = undefined;
        await read().catch(() => undefined);
      }, SETTLE_MS);
    };
    let end;
    const follow = async () => {
      end?.();
      end = undefined;
      // Only a sandbox can show its internals.
      if (await read().catch(() => false)) end = props.service.onChange(soon);
    };
    const act = async (action) => {
      state.busy = true;
      const { problem = '' } = await action().finally(() => {
        state.busy = false;
      });
      state.problem = problem;
      soon();
    };
    watch(() => [props.id, props.service], follow, { immediate: true });
    onBeforeUnmount(() => {
      end?.();
      clearTimeout(timer);
    });
    return () => state.found && view(props, state, act);
  },
};

function view({ sandbox, kind, id, declines, consoleUrl }, state, act) {
  const { resource, timeline, legal_events: events = [], next_step_at: next } = state.found;
  const simulate = (event) => {
    const body = event === 'decline' ? { decline_reason: state.decline } : {};
    return act(() => sandbox.simulate(kind, id, event, body));
  };
  return html`
    <section class="behind" aria-label="Effects" aria-busy=${state.busy}>
      <p class="title">Effects</p>
      <p aria-live="polite">
        <code>${id}</code> is <strong>${resource.status}</strong>${resource.decline_reason && `, ${resource.decline_reason}`}.
        ${next && ` Next step due at ${next}.`}
        ${consoleUrl && html` <a href=${`${consoleUrl}#/${kind}/${encodeURIComponent(id)}`} target="_blank">Open in the console</a>`}
      </p>
      <div class="actions" role="group" aria-label="Simulate">
        ${events.map((event) => html`<button type="button" key=${event} onClick=${() => simulate(event)}>${event.replaceAll('-', ' ')}</button>`)}
        ${
          events.includes('decline') &&
          html`<select aria-label="Decline reason" value=${state.decline} onChange=${(event) => {
            state.decline = event.target.value;
          }}>${declines.map((code) => html`<option key=${code}>${code}</option>`)}</select>`
        }
      </div>
      <div class="actions" role="group" aria-label="Advance the clock">
        ${TIMES.map((by) => html`<button type="button" key=${by} onClick=${() => act(() => sandbox.advance(by))}>${by} later</button>`)}
      </div>
      ${state.problem && html`<p class="finding">${state.problem}</p>`}
      <ol class="timeline">${timeline.filter(isOfInterest).map((entry) => row(entry, sandbox, timeline.length))}</ol>
    </section>
  `;
}

/**
 * Says how far the clock of a sandbox is from the real time, and releases it. Empty if it isn't, or if there is no sandbox.
 * Read again when the number of `changes` is another one.
 */
export const Clock = {
  props: ['sandbox', 'changes'],
  setup(props) {
    const clock = shallowRef();
    const read = async () => {
      const { json } = await props.sandbox.call('/clock').catch(() => ({}));
      clock.value = json;
    };
    watch(() => [props.sandbox, props.changes], read, { immediate: true });
    const release = () => props.sandbox.call('/clock/release', undefined, 'POST').then(read);
    return () => {
      const difference = clock.value && describeDifference(clock.value);
      return (
        difference &&
        html`<p role="status">The clock of this sandbox is ${difference}. <button type="button" onClick=${release}>Release</button></p>`
      );
    };
  },
};

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** Such as `frozen, 3 d 2 h ahead`. */
function describeDifference({ frozen, ahead_ms: ahead }) {
  let seconds = Math.round(Math.abs(ahead) / 1000);
  const parts = UNITS.flatMap(([size, unit]) => {
    const count = Math.floor(seconds / size);
    seconds %= size;
    return count > 0 ? `${count} ${unit}` : [];
  });
  const by = parts.length > 0 && `${parts.slice(0, 2).join(' ')} ${ahead > 0 ? 'ahead' : 'behind'}`;
  return [frozen && 'frozen', by].filter(Boolean).join(', ');
}

/** Attempts that succeed are part of their webhooks. */
function isOfInterest({ type, summary }) {
  return type !== 'attempt' || !/: 2\d\d$/.test(summary);
}

/** An entry of the history. */
function row({ at, type, summary, cause, id }, sandbox, entries) {
  return html`
    <li key=${`${type}-${id ?? `${at}-${summary}`}`}>
      <time datetime=${at}>${at.slice(11, 23)}</time> <span class=${`kind ${type}`}>${type === 'event' ? 'webhook' : type}</span>
      ${` ${summary}${cause ? ` (${cause})` : ''}`}
      ${type === 'event' && html`<${Webhook} sandbox=${sandbox} id=${id} entries=${entries} />`}
    </li>
  `;
}

/**
 * Headers of the last attempt to deliver an event, with the signature, and the body. Read when they are opened, and again with
 * each further entry of the history, which can be the attempt.
 */
const Webhook = {
  props: ['sandbox', 'id', 'entries'],
  setup(props) {
    const text = ref('');
    const isOpen = ref(false);
    const read = async () => {
      if (!isOpen.value) return;
      const { json, problem } = await props.sandbox.event(props.id);
      text.value = json ? formatExchange(json) : problem;
    };
    watch(() => [isOpen.value, props.entries], read);
    return () => html`
      <details onToggle=${({ target }) => (isOpen.value = target.open)}>
        <summary>Signature and body</summary>
        <pre tabindex="0" aria-label="The webhook">${text.value}</pre>
      </details>
    `;
  },
};

function formatExchange({ body, deliveries }) {
  const headers = Object.entries(deliveries.at(-1)?.request_headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [...headers, '', pretty(body)].join('\n');
}
