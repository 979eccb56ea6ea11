/** Changes as the gateway reports them: server-sent events, read with fetch, since an EventSource can't send headers. */
import { useEffect, useState } from 'preact/hooks';
import { send } from '../shared/api.js';
import { tell, tellUnknown } from '../shared/changes.js';

const RETRY_MS = [1_000, 2_000, 5_000, 15_000];

/** @type {Set<(live: boolean) => void>} */
const watchers = new Set();
let live = false;
let connections = 0;

/** Whether changes arrive at present. */
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

/** Reports changes for as long as the page is open. */
export async function follow() {
  for (let failures = 0; ; failures++) {
    const began = Date.now();
    await read().catch(() => undefined);
    setLive(false);
    if (Date.now() - began > 30_000) failures = 0;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]));
  }
}

async function read() {
  const response = await send('GET', '/sandbox/stream');
  if (!response.ok || !response.body) return;
  setLive(true);
  // Changes between two connections are not sent.
  if (connections++ > 0) tellUnknown();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + value).split(/\r?\n\r?\n/);
    rest = messages.pop() ?? '';
    for (const message of messages) parse(message);
  }
}

/** @param {string} message */
function parse(message) {
  const lines = message.split(/\r?\n/);
  /** @param {string} name */
  const field = (name) =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
      .join('\n');
  const type = /** @type {import('../shared/changes.js').ChangeType} */ (field('event'));
  if (type) tell({ type, data: JSON.parse(field('data') || '{}') });
}

/** @param {boolean} value */
function setLive(value) {
  live = value;
  for (const watcher of watchers) watcher(value);
}
