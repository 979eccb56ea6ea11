/** Headers as the frameworks give them. */

/** Fetch's `Headers`, Node's `request.headers`, or any record; names are matched in any case. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The values of a header, empty when it is not there. */
export function valuesOf(headers: HeadersLike, name: string): string[] {
  if (typeof headers.get === 'function') return [headers.get(name) ?? []].flat();
  const wanted = name.toLowerCase();
  return Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === wanted && value !== undefined ? ([value].flat() as string[]) : [],
  );
}
