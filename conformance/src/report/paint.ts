/** Colors of text for a terminal. */

const COLORS = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 } as const;
export type Color = keyof typeof COLORS;
export type Paint = (color: Color, text: string) => string;

/** Paints text, or leaves it as it is. */
export function painter(isColored: boolean): Paint {
  return (color, text) => (isColored ? `\x1b[${COLORS[color]}m${text}\x1b[0m` : text);
}

/** As https://no-color.org has it. */
export function usesColor(): boolean {
  return process.stdout.isTTY === true && !process.env['NO_COLOR'];
}
