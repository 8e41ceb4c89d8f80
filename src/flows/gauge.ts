/** Limits the total size of the requests that run at the same time. */

/** Waits until this number of bytes fits within the limit. Returns the function that frees these bytes. */
export type AcquireBytes = (bytes: number) => Promise<() => void>;

/** `most` is the limit in bytes. Requests start in the order in which they were made. One above it runs alone. */
export function openByteSemaphore(most: number): AcquireBytes {
  let taken = 0;
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  const goOn = () => {
    for (let first = waiting[0]; first && (taken === 0 || taken + first.bytes <= most); first = waiting[0]) {
      waiting.shift();
      taken += first.bytes;
      first.go();
    }
  };
  return async (bytes) => {
    await new Promise<void>((go) => {
      waiting.push({ bytes, go });
      goOn();
    });
    return () => {
      taken -= bytes;
      goOn();
    };
  };
}
