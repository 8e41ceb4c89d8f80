/** The first batch, which `--dry-run` shows. The whole input is read, so that every event is checked. */
import { eachOf } from '../../flows/body.ts';
import type { Input } from '../../operations/operation.ts';
import type { EventInput } from './input.ts';

export async function firstBatch(known: Input, { events }: EventInput): Promise<Input> {
  let body: readonly unknown[] | undefined;
  for await (const some of events)
    body ??= some.flatMap(eachOf).map((one) => JSON.parse(Buffer.from(one).toString()));
  return { ...known, body: body ?? [] };
}
