/** Change notifications from any source. */

/**
 * @typedef {'transaction' | 'event' | 'attempt' | 'request' | 'settings' | 'unknown'} ChangeType
 *   `unknown` stands for anything that may have changed
 * @typedef {{ type: ChangeType, data: any }} Change
 * @typedef {(change: Change) => void} Listener
 */

/** @type {Set<Listener>} */
const listeners = new Set();

/** Calls the listener for each change until the returned function is called. @param {Listener} listener */
export function listen(listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** @param {Change} change */
export function tell(change) {
  for (const listener of [...listeners]) listener(change);
}

/** Reloads all visible data after a request of this console, whose own notification may be late or missing. */
export function tellUnknown() {
  tell({ type: 'unknown', data: {} });
}
