/** The merchant's clock: shown in the header, and moved in test mode. */
import { useEffect, useState } from 'preact/hooks';
import { call, canSimulate } from './api.js';
import { announce, Card, Failure, html, Loaded } from './components.js';
import { duration, time } from './format.js';
import { useAction, useResource } from './resource.js';

/** @typedef {import('../../generated/sandbox/types.ts').Clock} Clock */

const STEPS = ['1m', '15m', '1h', '1d'];

/** The clock of a sandbox, read again when the settings change. @returns {import('./resource.js').Resource<Clock>} */
export function useClock() {
  return useResource(canSimulate ? '/sandbox/clock' : undefined, ['settings']);
}

export function ClockChip() {
  const { data: clock } = useClock();
  if (!clock) return null;
  const difference = describeDifference(clock);
  return html`<a class=${`chip ${difference ? 'warn' : ''}`} href="#/sandbox/clock" title="The clock of this merchant, in UTC"><${RunningTime} clock=${clock} />${difference && html`<span class="roomy">${difference}</span>`}</a>`;
}

/** The time, which runs on from when it was read. @param {{ clock: Clock }} props */
function RunningTime({ clock }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (clock.frozen) return;
    const began = Date.now();
    const timer = setInterval(() => setPassed(Date.now() - began), 1_000);
    return () => clearInterval(timer);
  }, [clock]);
  return html`<time class="number" datetime=${clock.now}>${time(Date.parse(clock.now) + passed)}</time>`;
}

/** The clock's difference from the gateway's time, in words. @param {Clock} clock */
function describeDifference({ frozen, ahead_ms: ahead }) {
  // An advance takes some milliseconds itself.
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const by = seconds === 0 ? '' : `${duration(seconds * 1_000)} ${ahead > 0 ? 'ahead' : 'behind'}`;
  return [frozen ? 'frozen' : '', by].filter(Boolean).join(', ');
}

export function ClockCard() {
  const resource = useClock();
  const [by, setBy] = useState('');
  const action = useAction(async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    /** @type {Clock} */
    const { now, reached, held_up_by } = await call('POST', `/sandbox/clock/${path}`, body);
    announce(`The clock shows ${time(now)}${reached ? '' : `. ${held_up_by}`}`);
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (by !== '') action.run('advance', { by });
  };
  // Freeze and Release stay side by side, so that a click on one never meets the other.
  return html`<${Card} title="Clock">
    <${Loaded} resource=${resource}>${(/** @type {Clock} */ clock) => html`<div class="stack tight">
      <p><strong><${RunningTime} clock=${clock} /></strong> <span class="quiet">UTC${describeDifference(clock) && `, ${describeDifference(clock)}`}</span></p>
      <div class="buttons">
        ${STEPS.map((step) => html`<button type="button" disabled=${action.busy} onClick=${() => action.run('advance', { by: step })}>+${step}</button>`)}
        <button type="button" disabled=${action.busy || clock.frozen} onClick=${() => action.run('freeze', {})}>Freeze</button>
        <button type="button" disabled=${action.busy || describeDifference(clock) === ''} onClick=${() => action.run('release', undefined)}>Release</button>
      </div>
      <form class="filters" onSubmit=${submit}>
        <label class="field"><span>Advance by</span><input name="by" value=${by} placeholder="90m" pattern="[0-9]+(ms|s|m|h|d)" onInput=${(/** @type {any} */ event) => setBy(event.target.value)} /></label>
        <button type="submit" disabled=${action.busy}>Advance</button>
      </form>
      <p class="hint">Expiry, settlement, limits and webhook retries follow this clock. Release returns to the real time.</p>
      <${Failure} error=${action.error} />
    </div>`}</${Loaded}>
  </${Card}>`;
}
