/** Marks the pauses of a stream, so that received items do not wait for later ones. */

/**
 * Yields the items of `source`, and `undefined` every `ms` milliseconds while items arrive, so that a reader who
 * collects them knows when to stop waiting. After the last item, `undefined` comes within two such intervals.
 */
export async function* withPauses<T>(source: AsyncIterable<T>, ms: number): AsyncGenerator<T | undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<T>> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let hasCome = false;
  let wake: () => void = () => undefined;
  const wait = () => {
    timer = setTimeout(() => {
      isOver = true;
      wake();
    }, ms);
  };
  try {
    for (;;) {
      const coming = next ?? iterator.next();
      next = coming;
      // Not Promise.race, which would hold the received items in memory until the timer ends.
      await new Promise((done: (value?: unknown) => void) => {
        wake = done;
        coming.then(done, done);
        if (isOver) done();
      });
      if (isOver) {
        isOver = false;
        timer = undefined;
        if (hasCome) wait();
        hasCome = false;
        yield undefined;
        continue;
      }
      const found = await coming;
      next = undefined;
      if (found.done) return;
      hasCome = true;
      if (!timer) wait();
      yield found.value;
    }
  } finally {
    clearTimeout(timer);
    const ended = iterator.return?.();
    // A pending read may never finish.
    if (next) ended?.catch(() => undefined);
    else await ended;
  }
}
