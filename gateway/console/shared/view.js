/** Templates: `html` makes elements of Preact out of a tagged template. What is put in is never read as HTML. */
import htm from 'htm';
import { h } from 'preact';

export const html = htm.bind(h);

/** @typedef {import('preact').ComponentChildren} Children */
