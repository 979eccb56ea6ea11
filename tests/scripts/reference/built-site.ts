import { buildSite } from '../../../scripts/reference/site.ts';

let built: Promise<void> | undefined;

/** Builds the site once for all files of a worker, since it takes seconds. */
export function builtSite(): Promise<void> {
  built ??= buildSite();
  return built;
}
