/** A response without a known end: text is pushed into it, and its adapter pulls it out as fast as the client reads. */

const DONE: IteratorResult<string, undefined> = { done: true, value: undefined };

interface Pull {
  readonly resolve: (result: IteratorResult<string, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/** Bytes are counted as characters: what is sent is ASCII but for a few. */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #waitingMax: number;
  readonly #cutting = new AbortController();
  #waiting = '';
  #pull: Pull | undefined;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #onClose: () => void = () => undefined;

  /** A client that leaves more than this many characters unread is cut off. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Aborted when the stream is cut: its connection ends at once, also if the client has not read what was sent. */
  get cutOff(): AbortSignal {
    return this.#cutting.signal;
  }

  /** Nothing is sent any more, and nothing waits. */
  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Calls back once when the stream closes: its client has read it to the end, or has gone, or it is cut. */
  onClose(callback: () => void): void {
    this.#onClose = callback;
  }

  push(text: string): void {
    if (this.#state !== 'open') return;
    if (this.#waiting.length + text.length > this.#waitingMax) this.cut();
    else this.#waiting += text;
    this.#serve();
  }

  /** Ends the stream once the client has read what waits. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#serve();
  }

  /** Ends the stream and its connection now. */
  cut(): void {
    if (this.#state === 'closed') return;
    const pull = this.#pull;
    this.#close();
    this.#cutting.abort();
    pull?.reject(new Error('the stream was cut'));
  }

  /** The text that waits, all of it at once. */
  next(): Promise<IteratorResult<string, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.#cutting.signal.aborted) return reject(new Error('the stream was cut'));
      this.#pull = { resolve, reject };
      this.#serve();
    });
  }

  /** The client has gone. */
  async return(): Promise<IteratorResult<string, undefined>> {
    this.#close();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #serve(): void {
    if (!this.#pull) return;
    if (this.#waiting !== '') {
      const value = this.#waiting;
      this.#waiting = '';
      this.#take()?.resolve({ done: false, value });
    } else if (this.#state === 'ended') this.#close();
    else if (this.#state === 'closed') this.#take()?.resolve(DONE);
  }

  #take(): Pull | undefined {
    const pull = this.#pull;
    this.#pull = undefined;
    return pull;
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#waiting = '';
    if (!this.#cutting.signal.aborted) this.#take()?.resolve(DONE);
    this.#onClose();
  }
}
