/** Data of the API: read when a page opens and again when they change, and actions that change them. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, send } from './api.js';

/**
 * @typedef {'transaction' | 'event' | 'attempt' | 'request' | 'settings' | 'unknown'} ChangeType
 *   `unknown` stands for anything that may have changed
 * @typedef {{ type: ChangeType, data: any }} Change
 * @typedef {readonly string[] | ((change: Change) => boolean)} Wanted Changes that trigger a reload
 */

/**
 * @template T
 * @typedef {{ data: T | undefined, error: Error | undefined, reload: () => void }} Resource
 */

/** Several changes within this time, in milliseconds, cause one reload. */
const PAUSE_MS = 400;
const RETRY_MS = [1_000, 2_000, 5_000, 15_000];

/** @type {Set<(change: Change) => void>} */
const listeners = new Set();
/** @type {Set<(live: boolean) => void>} */
const watchers = new Set();
let live = false;

/** @param {Change} change */
function publish(change) {
  for (const listener of [...listeners]) listener(change);
}

export function reloadAll() {
  publish({ type: 'unknown', data: {} });
}

/**
 * Reads a path. During a reload, the previous data stay.
 * @template T
 * @param {string | undefined} path undefined reads nothing
 * @param {Wanted} [wanted]
 * @returns {Resource<T>}
 */
export function useResource(path, wanted = []) {
  const [state, setState] = useState({
    path,
    data: /** @type {T | undefined} */ (undefined),
    error: /** @type {Error | undefined} */ (undefined),
  });
  const [version, setVersion] = useState(0);
  const reload = useCallback(() => setVersion((value) => value + 1), []);
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    call('GET', path, undefined, abort.signal).then(
      (data) => abort.signal.aborted || setState({ path, data, error: undefined }),
      (error) =>
        abort.signal.aborted || setState((old) => ({ path, data: old.path === path ? old.data : undefined, error })),
    );
    return () => abort.abort();
  }, [path, version]);
  useChanges(wanted, reload);
  const { data, error } = state.path === path ? state : { data: undefined, error: undefined };
  return { data, error, reload };
}

/** Calls back after changes, and whenever anything may have changed. @param {Wanted} wanted @param {() => void} then */
function useChanges(wanted, then) {
  const latest = useRef({ wanted, then });
  latest.current = { wanted, then };
  useEffect(() => {
    let timer = 0;
    /** @param {Change} change */
    const listener = (change) => {
      const { wanted: current } = latest.current;
      const matches = typeof current === 'function' ? current(change) : current.includes(change.type);
      if ((!matches && change.type !== 'unknown') || timer !== 0) return;
      timer = setTimeout(() => {
        timer = 0;
        latest.current.then();
      }, PAUSE_MS);
    };
    listeners.add(listener);
    return () => {
      clearTimeout(timer);
      listeners.delete(listener);
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
  /** @param {A} values */
  const run = async (...values) => {
    setState({ busy: true, error: undefined });
    try {
      await work(...values);
      setState({ busy: false, error: undefined });
      // The stream may report the change late, or not at all.
      reloadAll();
    } catch (error) {
      setState({ busy: false, error: /** @type {Error} */ (error) });
    }
  };
  return { ...state, run };
}

/** Whether the stream of changes is connected. */
export function useLive() {
  const [value, setValue] = useState(live);
  useEffect(() => {
    watchers.add(setValue);
    // It may have changed since it was read.
    setValue(live);
    return () => void watchers.delete(setValue);
  }, []);
  return value;
}

/** @param {boolean} value */
function setLive(value) {
  live = value;
  for (const watcher of watchers) watcher(value);
}

/** Publishes the gateway's changes for as long as the page is open. */
export async function followChanges() {
  for (let failures = 0; ; failures++) {
    const began = Date.now();
    await readStream().catch(() => undefined);
    setLive(false);
    if (Date.now() - began > 30_000) failures = 0;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]));
  }
}

let connections = 0;

/** Server-sent events, read with fetch, since an EventSource can't send headers. */
async function readStream() {
  const response = await send('GET', '/management/stream');
  if (!response.ok || !response.body) return;
  setLive(true);
  // Changes between two connections are not sent.
  if (connections++ > 0) reloadAll();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + value).split(/\r?\n\r?\n/);
    rest = messages.pop() ?? '';
    for (const message of messages) publishMessage(message);
  }
}

/** @param {string} message */
function publishMessage(message) {
  const lines = message.split(/\r?\n/);
  /** @param {string} name */
  const field = (name) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
      .join('\n');
  const type = /** @type {ChangeType} */ (field('event'));
  if (type) publish({ type, data: JSON.parse(field('data') || '{}') });
}
