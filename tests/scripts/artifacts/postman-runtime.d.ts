/** Types for the used part of Postman's runtime, which has none. */
declare module 'postman-runtime' {
  namespace runtime {
    interface Assertion {
      name: string;
      error: Error | null;
    }
    interface Callbacks {
      assertion(cursor: unknown, results: Assertion[]): void;
      beforeItem(error: Error | null, cursor: unknown, item: { name: string }): void;
      request(error: Error | null, cursor: unknown, response: unknown, request: { url: unknown }): void;
      done(error: Error | null): void;
    }
    /** A collection that the runtime's library has loaded. */
    type Collection = object;
    class Runner {
      run(
        collection: Collection,
        options: object,
        ready: (error: Error | null, run: { start(callbacks: Callbacks): void }) => void,
      ): void;
    }
  }
  export default runtime;
}
