/** Shows and moves the merchant's clock. */
import { useEffect, useState } from 'preact/hooks';
import { announce } from '../shared/announce.js';
import { call } from '../shared/api.js';
import { duration, time } from '../shared/format.js';
import { Failure, Loaded } from '../shared/parts.js';
import { useAction, useResource } from '../shared/resource.js';
import { html } from '../shared/view.js';

/** @typedef {import('../../../generated/sandbox/types.ts').Clock} Clock */

const STEPS = ['1m', '15m', '1h', '1d'];

/** The clock, read again when the settings change. @returns {import('../shared/resource.js').Resource<Clock>} */
export function useClock() {
  return useResource('/sandbox/clock', ['settings']);
}

/** The time as it runs on from when it was read. @param {{ clock: Clock }} props */
export function RunningTime({ clock }) {
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

/** The clock's deviation from the gateway's time, in words. @param {Clock} clock */
export function deviation({ frozen, ahead_ms: ahead }) {
  // An advance takes some milliseconds itself.
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const by = seconds === 0 ? '' : `${duration(seconds * 1_000)} ${ahead > 0 ? 'ahead' : 'behind'}`;
  return [frozen ? 'frozen' : '', by].filter(Boolean).join(', ');
}

/** @param {{ resource?: import('../shared/resource.js').Resource<Clock> }} props */
export function ClockCard({ resource: given }) {
  const own = useClock();
  const resource = given ?? own;
  const [by, setBy] = useState('');
  const action = useAction(async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    /** @type {Clock} */
    const clock = await call('POST', `/sandbox/clock/${path}`, body);
    announce(
      clock.reached ? `The clock shows ${time(clock.now)}` : `The clock shows ${time(clock.now)}. ${clock.held_up_by}`,
    );
    resource.reload();
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (by !== '') action.run('advance', { by });
  };
  // Freeze and Release stay in place, so that a click on one never meets the other.
  return html`<section class="card" aria-labelledby="clock">
    <h2 id="clock">Clock</h2>
    <${Loaded} resource=${resource}>${(/** @type {Clock} */ clock) => html`<div class="stack tight">
      <p><strong><${RunningTime} clock=${clock} /></strong> <span class="quiet">UTC${deviation(clock) && `, ${deviation(clock)}`}</span></p>
      <div class="buttons">
        ${STEPS.map((step) => html`<button type="button" disabled=${action.busy} onClick=${() => action.run('advance', { by: step })}>+${step}</button>`)}
        <button type="button" disabled=${action.busy || clock.frozen} onClick=${() => action.run('freeze', {})}>Freeze</button>
        <button type="button" disabled=${action.busy || deviation(clock) === ''} onClick=${() => action.run('release', undefined)}>Release</button>
      </div>
      <form class="filters" onSubmit=${submit}>
        <label class="field"><span>Advance by</span><input name="by" value=${by} placeholder="90m" pattern="[0-9]+(ms|s|m|h|d)" onInput=${(/** @type {any} */ event) => setBy(event.target.value)} /></label>
        <button type="submit" disabled=${action.busy}>Advance</button>
      </form>
      <p class="hint">Expiry, settlement, limits and webhook retries follow this clock. Release returns to the real time.</p>
      <${Failure} error=${action.error} />
    </div>`}</${Loaded}>
  </section>`;
}
