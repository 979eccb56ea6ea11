/** The files of the payment page in this folder. */
import { readText } from '../../../contract/src/files.ts';
import type { PageFiles } from './page.ts';

export function readPageFiles(): PageFiles {
  return {
    style: readText(new URL('./page.css', import.meta.url)),
    script: readText(new URL('./page.js', import.meta.url)),
  };
}
