/** Headers in the forms of the frameworks. */

/** Fetch's `Headers`, Node's `request.headers`, or any record; names are matched in any case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header, empty when it is not there; several values are joined by spaces. */
export function headerValue(headers: HeadersLike, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
  return [value ?? ''].flat().join(' ');
}
