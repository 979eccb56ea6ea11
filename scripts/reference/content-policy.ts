/** The Content-Security-Policy of the pages. It is part of each page, since not every host of files sends headers. */
import { createHash } from 'node:crypto';

/** Services that the page's readers send requests to: the gateway that serves the page, or any. */
export type RequestsTo = 'self' | 'any';

/** Adds the policy to a page, before everything that it applies to. */
export function withContentPolicy(page: string, requestsTo: RequestsTo): string {
  const charset = '<meta charset="utf-8">';
  if (!page.includes(charset)) throw new Error(`The page has no ${charset}, after which its policy is inserted`);
  const element = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page, requestsTo)}">`;
  return page.replace(charset, `${charset}${element}`);
}

/**
 * Allows files of the same host, the page's inline scripts by their hashes, and inline styles. Pages that send requests to any
 * service also run the sandbox, which is WebAssembly.
 */
function contentPolicy(page: string, requestsTo: RequestsTo): string {
  const [wasm, services] = requestsTo === 'any' ? [" 'wasm-unsafe-eval'", ' http: https:'] : ['', ''];
  const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, source = '']) => ` 'sha256-${createHash('sha256').update(source).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self'${wasm}${[...new Set(scripts)].join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${services}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
