/** A response without a known end: text is pushed into it, and is sent as fast as the client reads. */
import { ConnectionCut } from './context.ts';

const encoder = new TextEncoder();

/** Bytes are counted as characters, since the text is almost entirely ASCII. */
export class EventStream {
  /** The body of the response. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly #waitingMax: number;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #waiting = '';
  /** Resolves the pending pull, at most one, while the client waits for more. */
  #pulled: (() => void) | undefined;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #onClose: () => void = () => undefined;
  #onCut: () => void = () => undefined;

  /** A client with more than this many unread characters is disconnected. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
      },
      pull: () =>
        new Promise<void>((resolve) => {
          this.#pulled = resolve;
          this.#serve();
        }),
      cancel: () => this.#close(),
    };
    this.readable = new ReadableStream(source, { highWaterMark: 0 });
  }

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Calls back once when the stream closes: its client has read it to the end or disconnected, or it is cut. */
  onClose(callback: () => void): void {
    this.#onClose = callback;
  }

  /**
   * Registers a callback for when the stream is cut. Its connection must end at once, even if the client doesn't read.
   */
  onCut(callback: () => void): void {
    this.#onCut = callback;
  }

  push(text: string): void {
    if (this.#state !== 'open') return;
    if (this.#waiting.length + text.length > this.#waitingMax) this.cut();
    else this.#waiting += text;
    this.#serve();
  }

  /** Ends the stream once the client has read the queued messages. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#serve();
  }

  /** Ends the stream and its connection immediately. */
  cut(): void {
    if (this.#state === 'closed') return;
    this.#close();
    this.#controller.error(new ConnectionCut());
    this.#onCut();
  }

  #serve(): void {
    if (!this.#pulled || this.#state === 'closed') return;
    if (this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      this.#controller.enqueue(encoder.encode(text));
    } else if (this.#state === 'ended') {
      this.#close();
      this.#controller.close();
    } else return;
    this.#pulled();
    this.#pulled = undefined;
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#waiting = '';
    this.#onClose();
  }
}
