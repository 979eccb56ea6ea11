/** The page or worker of a browser that this runs in. */

/** Its origin, or undefined outside of browsers. Workers have a location, but no document. */
export function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}
