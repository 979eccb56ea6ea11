/** As much of a logger as is used. Whoever runs a gateway without one hears nothing. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = () => undefined;
export const NO_LOG: Log = { info: nothing, warn: nothing, error: nothing };
