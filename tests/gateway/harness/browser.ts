/** One browser for all tests of a file. */
import type { Browser } from '@playwright/test';
import { launchBrowser } from '../../tools/browser.ts';
import { afterTheFile } from './afterwards.ts';

let launched: Promise<Browser> | undefined;

/** Starts the browser, unless the file has one. It is closed after the file. */
export function openBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const browser = await launchBrowser();
  afterTheFile(async () => {
    launched = undefined;
    await browser.close();
  });
  return browser;
}
