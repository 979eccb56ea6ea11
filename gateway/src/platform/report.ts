/** Failure reports of work that no caller awaits. */

export type Fields = Readonly<Record<string, unknown>>;

/** Reports a failure with its context, such as the job's name and the transaction's id. */
export type ReportFailure = (error: unknown, about?: Fields) => void;
