/** Tells what a click has done: as a toast, which screen readers read out. */
import { useEffect, useState } from 'preact/hooks';
import { html } from './view.js';

const SHOWN_MS = 5_000;

/** @type {(text: string) => void} */
let show = () => undefined;

/** @param {string} text */
export function announce(text) {
  show(text);
}

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => {
    show = setText;
  }, []);
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => setText(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<div class="toast" role="status">${text}</div>`;
}
