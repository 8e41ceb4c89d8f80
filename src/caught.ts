/** Catches errors and interrupts, and reads messages and codes from caught values, which may have any type. */

/** Returns the result of `work`, or `otherwise` if it throws. */
export function attempt<Result, Other>(work: () => Result, otherwise: Other): Result | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Returns the result of `work`. If it throws, throws the error that `explain` returns for the failure. */
export function orThrow<Result>(work: () => Result, explain: (error: unknown) => unknown): Result {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

/** Waits for a promise. Throws the reason of the signal as soon as the signal is aborted. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, failed) => {
    const abort = () => failed(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(done, failed).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Returns a handler for failures. It returns undefined for those that `isExpected` accepts, and throws all others. */
export const ignoring =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error;
  };

/** Returns the message, or the code of an error without one, such as that of several failed connections. */
export const messageOf = (caught: unknown): string => String(Object(caught).message || systemCode(caught) || caught);

/** Returns the error code, such as `ENOENT` or `Z_DATA_ERROR`. Undefined if the value has no code. */
export const systemCode = (caught: unknown): string | undefined => textIn(caught, 'code');

/** Returns the name of the system call that failed, such as `open`, and the path that it was called with. */
export const systemCall = (caught: unknown) => ({ syscall: textIn(caught, 'syscall'), path: textIn(caught, 'path') });

function textIn(caught: unknown, name: 'code' | 'syscall' | 'path'): string | undefined {
  if (typeof caught !== 'object' || caught === null) return undefined;
  const found: unknown = Reflect.get(caught, name);
  return typeof found === 'string' ? found : undefined;
}

/** Yields the bytes unchanged. If reading them fails, throws the error that `map` returns for the failure. */
export async function* mapErrors(bytes: AsyncIterable<Uint8Array>, map: (error: unknown) => unknown) {
  try {
    yield* bytes;
  } catch (error) {
    throw map(error);
  }
}
