/** The step between a commit and the promise that it lasts. */
export interface CommitLog {
  /** Resolves when all that was committed is on the disk; undefined when it is. Rejects with StoreUnavailable. */
  readonly syncing: Promise<void> | undefined;
  /** Throws StoreUnavailable if nothing can be written any more. */
  requireHealthy(): void;
  /** Writes what was committed to the disk. Throws StoreUnavailable if that fails. */
  sync(): Promise<void>;
}
