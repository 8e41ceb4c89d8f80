/** Limits the total size of concurrent requests, however many there are. */

/** Waits until there is room for this number of bytes, and returns the function that frees it. */
export type Gauge = (bytes: number) => Promise<() => void>;

/** Grants room in the order of the requests. A request that is longer than `most` runs alone. */
export function openGauge(most: number): Gauge {
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
