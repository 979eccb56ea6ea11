/** The Content-Security-Policy of the pages. It is part of each page, since not every host of files sends headers. */
import { createHash } from 'node:crypto';

/** What a page does beyond its own files: it sends requests to any service, or runs the sandbox, which is WebAssembly. */
export interface Allowed {
  services: boolean;
  sandbox: boolean;
}

/** Adds the policy to a page, before everything that it applies to. */
export function withContentPolicy(page: string, allowed: Allowed): string {
  const charset = '<meta charset="utf-8">';
  if (!page.includes(charset)) throw new Error(`The page has no ${charset}, after which its policy is inserted`);
  const element = `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(page, allowed)}">`;
  return page.replace(charset, `${charset}${element}`);
}

/** Allows files of the same host, the page's inline scripts by their hashes, and inline styles. */
function contentPolicy(page: string, allowed: Allowed): string {
  const wasm = allowed.sandbox ? " 'wasm-unsafe-eval'" : '';
  const services = allowed.services ? ' http: https:' : '';
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
