/** Keys that lead somewhere, and the dialog that lists them. They can be turned off there. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { go } from './router.js';
import { html } from './view.js';

const OFF = 'console-shortcuts-off';
/** The second key of a pair has to follow within this, in milliseconds. */
const PAIR_MS = 1_500;

/** @type {[keys: string, what: string][]} */
const KEYS = [
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['/', 'Go to the filters, or to the search'],
  ['?', 'Show these keys'],
];

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null;
}

/** Moves the focus to another row of the list. @param {number} step */
function moveRow(step) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('main a.row')]);
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  '/': () =>
    /** @type {HTMLElement | null} */ (
      document.querySelector('main .filters input') ??
        document.querySelector('main .filters select') ??
        document.querySelector('form.search input')
    )?.focus(),
};

/** @param {{ navigation: [path: string, title: string, key: string][], open: boolean, onOpen: (open: boolean) => void }} props */
export function Shortcuts({ navigation, open, onOpen }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [off, setOff] = useState(localStorage.getItem(OFF) === 'yes');
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  useEffect(() => {
    if (off) return;
    let leaderAt = 0;
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || dialog.current?.open) return;
      const page = Date.now() - leaderAt < PAIR_MS ? navigation.find(([, , key]) => key === event.key) : undefined;
      leaderAt = event.key === 'g' && !page ? Date.now() : 0;
      const action = page ? () => go(`#/${page[0]}`) : event.key === '?' ? () => onOpen(true) : ACTIONS[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [off]);
  /** @param {any} event */
  const toggle = (event) => {
    setOff(!event.target.checked);
    localStorage.setItem(OFF, event.target.checked ? 'no' : 'yes');
  };
  /** @type {[keys: string, what: string][]} */
  const keys = [...navigation.map(([, title, key]) => /** @type {[string, string]} */ ([`g ${key}`, title])), ...KEYS];
  return html`<dialog ref=${dialog} aria-labelledby="keys" onClose=${() => onOpen(false)}>
    <div class="cardhead"><h2 id="keys">Keyboard shortcuts</h2><button type="button" onClick=${() => onOpen(false)}>Close</button></div>
    <dl class="keys">${keys.map(([pressed, what]) => html`<dt>${pressed.split(/(?:, )| /).map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd>`)}</dl>
    <label class="check"><input type="checkbox" checked=${!off} onChange=${toggle} /> Use shortcuts</label>
  </dialog>`;
}
