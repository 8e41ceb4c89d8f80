/** Bytes of requests that are under way at once, however many requests they are. */

/** Waits until there is room for so many bytes, and gives the function that makes room again. */
export type Gauge = (bytes: number) => Promise<() => void>;

/** Room in the order in which it was asked for. What is longer than `most` goes alone. */
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
