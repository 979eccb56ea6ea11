/** Templates of HTML without a compiler. */
import htm from 'htm';
import { h } from 'vue';

export const html = htm.bind(h);
