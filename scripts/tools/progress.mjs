/**
 * Shows progress of work that takes longer than two seconds. It is plain JavaScript, because run.mjs shows it while
 * Node 20 installs the Node that runs TypeScript.
 */

const SHOW_AFTER_MS = 2_000;
/** A terminal's line is rewritten. In a log, every line stays. */
const INTERVAL_MS = { terminal: 1_000, log: 10_000 };
const CLEAR_LINE = '\r\x1b[2K';

/**
 * Shows the name of the work, its detail and the elapsed time, until the returned function is called. If progress was
 * shown, that function prints the total time.
 *
 * @param {string} name
 * @param {{ detail?: () => string, out?: { isTTY?: boolean, write(text: string): unknown } }} [options]
 * @returns {() => void}
 */
export function showProgress(name, { detail = () => '', out = process.stderr } = {}) {
  const started = performance.now();
  const interval = out.isTTY ? INTERVAL_MS.terminal : INTERVAL_MS.log;
  let shown = false;
  const seconds = () => `${Math.round((performance.now() - started) / 1_000)} s`;
  const line = (/** @type {string} */ text) => out.write(out.isTTY ? `${CLEAR_LINE}${text}` : `${text}\n`);
  const show = () => {
    shown = true;
    line(`${[name, detail(), seconds()].filter((part) => part !== '').join(', ')} …`);
    timer = setTimeout(show, interval).unref();
  };
  let timer = setTimeout(show, SHOW_AFTER_MS).unref();
  return () => {
    clearTimeout(timer);
    if (!shown) return;
    shown = false;
    line(`${name}: done in ${seconds()}`);
    if (out.isTTY) out.write('\n');
  };
}

/**
 * Runs an action and prints one line with its name and duration in seconds when it is done.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function timed(name, action) {
  const started = performance.now();
  const result = await action();
  console.log(`${name.padEnd(24)} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
