/** The input of the first batch, which `--dry-run` shows; the whole input is read, so that it is checked too. */
import type { Input } from '../../operations/operation.ts';
import type { EventInput } from './input.ts';

export async function firstBatch(known: Input, { events }: EventInput): Promise<Input> {
  let body: readonly unknown[] | undefined;
  for await (const some of events)
    body ??= some.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()));
  return { ...known, body: body ?? [] };
}
