/** A log of tests. */
import type { Log } from '../../../gateway/src/platform/log.ts';

export type Level = keyof Log;
export interface Line extends Record<string, unknown> {
  readonly level: Level;
}

/** A log that records its lines, and can be awaited. */
export function recordingLog() {
  const lines: Line[] = [];
  const waiting: { fits: (line: Line) => boolean; resolve: (line: Line) => void }[] = [];
  const at = (level: Level) => (fields: object, message: string) => {
    const line = { level, message, ...fields };
    lines.push(line);
    for (const { fits, resolve } of waiting) if (fits(line)) resolve(line);
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const next = (fits: (line: Line) => boolean) =>
    new Promise<Line>((resolve) => waiting.push({ fits, resolve: (line) => resolve(line) }));
  return { log, lines, next };
}
