/** The part of a stream that progress is written to. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows progress until the returned function is called. */
export function showProgress(name: string, options?: { detail?: () => string; out?: Output }): () => void;

/** Runs an action and prints one line with its name and duration in seconds when it is done. */
export function timed<T>(name: string, action: () => Promise<T>): Promise<T>;
