/** A sandbox that runs in the page: one for all panels of a visit, from the files next to the pages. */
import { withBase } from 'vitepress';

let starting;

/** Starts it at the first call. A failure isn't remembered. */
export function startPageSandbox() {
  starting ??= start().catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

async function start() {
  // Webhooks are shown, and arrive nowhere.
  const { url, key, fetch } = await newSandbox({ onWebhook: () => new Response(null, { status: 204 }) });
  return { baseUrl: url, apiKey: key, fetch };
}

/** Starts another one, with the options of the gateway's `startSandbox`. */
export async function newSandbox(options) {
  const { startSandbox } = await import(/* @vite-ignore */ withBase('/sandbox/sandbox.js'));
  return startSandbox(options);
}
