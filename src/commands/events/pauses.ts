/** Pauses of a stream: where what came already should not wait for what is still to come. */

/**
 * What comes, and `undefined` once and again while less than two times `ms` milliseconds have passed since something came:
 * whoever gathers it has waited long enough then.
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
      // Not Promise.race, which holds what came until the time is over.
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
    // What is being read just now may never come.
    if (next) ended?.catch(() => undefined);
    else await ended;
  }
}
