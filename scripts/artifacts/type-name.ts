/** The name of the type of a kind of transaction: `Payment` for `payment`. */
export function typeName(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
