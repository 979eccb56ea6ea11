/** Requests of a merchant. The result shows whether there was a response. */

export interface Answer {
  /** 0 when there was no response, or only a part of one. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Whether the request was under way when its connection ended, so that it may have been taken. */
  readonly cut?: boolean;
}

const WITHIN_MS = 20_000;

/** Sends a request to a gateway. Never rejects. */
export async function call(url: string, key: string, method: string, path: string, body?: unknown): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { ...NO_ANSWER, cut: code !== 'ECONNREFUSED' };
  }
}

/** There was no response. */
export const NO_ANSWER: Answer = { status: 0, headers: new Headers(), body: undefined };

/** Whether the call was taken. */
export function isTaken({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
