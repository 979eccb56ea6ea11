/** Calls of a merchant that tell no answer from an answer. */

export interface Answer {
  /** 0 when there was no answer, or only a part of one. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const WITHIN_MS = 20_000;

/** Calls a gateway. It never rejects. */
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
  } catch {
    return { status: 0, headers: new Headers(), body: undefined };
  }
}
