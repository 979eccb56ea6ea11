/** The used subset of a logger. By default, a gateway doesn't log. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = () => undefined;
export const NO_LOG: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
