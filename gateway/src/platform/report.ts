/** How work that nobody waits for says what has gone wrong. */

export type Fields = Readonly<Record<string, unknown>>;

/** Reports a failure: the error, and what it concerns, such as the job's name and the transaction's id. */
export type Report = (error: unknown, about?: Fields) => void;
