/** Reads the API's data for a page: when the page opens, and again when the data change. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call } from './api.js';
import { listen, tellUnknown } from './changes.js';

/**
 * @template T
 * @typedef {{ data: T | undefined, error: Error | undefined, loading: boolean, reload: () => void }} Resource
 */

/** Changes that come in crowds are read once in this time, in milliseconds. */
const PAUSE_MS = 400;

/**
 * Reads a path. During a reload, the previous data stays.
 * @template T
 * @param {string | undefined} path undefined reads nothing
 * @param {readonly string[] | ((change: import('./changes.js').Change) => boolean)} [changes] Changes that trigger a reload
 * @returns {Resource<T>}
 */
export function useResource(path, changes = []) {
  const [state, setState] = useState({
    path,
    data: /** @type {T | undefined} */ (undefined),
    error: /** @type {Error | undefined} */ (undefined),
  });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    call('GET', path, undefined, abort.signal).then(
      (data) => abort.signal.aborted || setState({ path, data, error: undefined }),
      (error) =>
        abort.signal.aborted || setState((old) => ({ path, data: old.path === path ? old.data : undefined, error })),
    );
    return () => abort.abort();
  }, [path, turn]);
  useChanges(changes, reload);
  const current = state.path === path;
  const data = current ? state.data : undefined;
  const error = current ? state.error : undefined;
  return { data, error, loading: path !== undefined && !data && !error, reload };
}

/**
 * Calls back after changes, and whenever anything may have changed.
 * @param {readonly string[] | ((change: import('./changes.js').Change) => boolean)} changes
 * @param {() => void} then
 */
function useChanges(changes, then) {
  const latest = useRef({ changes, then });
  latest.current = { changes, then };
  useEffect(() => {
    let timer = 0;
    const stop = listen((change) => {
      const { changes: wanted } = latest.current;
      const matches = typeof wanted === 'function' ? wanted(change) : wanted.includes(change.type);
      if ((!matches && change.type !== 'unknown') || timer !== 0) return;
      timer = setTimeout(() => {
        timer = 0;
        latest.current.then();
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}

/**
 * Returns a function that sends a request, its pending state, and its last error.
 * @template {unknown[]} A
 * @param {(...values: A) => Promise<unknown>} work
 */
export function useAction(work) {
  const [state, setState] = useState({ busy: false, error: /** @type {Error | undefined} */ (undefined) });
  /** @param {A} values Resolves with whether it succeeded. */
  const run = async (...values) => {
    setState({ busy: true, error: undefined });
    try {
      await work(...values);
      setState({ busy: false, error: undefined });
      tellUnknown();
      return true;
    } catch (error) {
      setState({ busy: false, error: /** @type {Error} */ (error) });
      return false;
    }
  };
  return { ...state, run };
}
