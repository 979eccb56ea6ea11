/** Failure reports of work that no caller awaits. */

export type Fields = Readonly<Record<string, unknown>>;

/** Reports a failure: the error, and what it concerns, such as the job's name and the transaction's id. */
export type ReportFailure = (error: unknown, about?: Fields) => void;
