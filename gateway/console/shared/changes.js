/** Changes of what is shown, whatever reports them. */

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

/** Has everything read again that is shown: after a request of our own, whose change may come late or not at all. */
export function tellUnknown() {
  tell({ type: 'unknown', data: {} });
}
