/** The first batch, which `--dry-run` and `--curl` show. The whole input is read, so that every event is checked. */
import { DtpError } from '../../errors.ts';
import { splitEvents } from '../../flows/body.ts';
import type { Input } from '../../operations/operation.ts';
import { parseJson, UnrepresentableNumberError } from '../../request/json.ts';
import type { EventInput } from './input.ts';

export async function firstBatch(known: Input, { events }: EventInput): Promise<Input> {
  let body: readonly unknown[] | undefined;
  for await (const some of events)
    body ??= some.flatMap(splitEvents).map((one) => shownEvent(Buffer.from(one).toString()));
  return { ...known, body: body ?? [] };
}

/** The service gets the bytes of the event, so its integers must be shown exactly. */
function shownEvent(event: string): unknown {
  try {
    return parseJson(event);
  } catch (error) {
    if (!(error instanceof UnrepresentableNumberError)) throw error;
    throw new DtpError('usage', `an event ${error.message}, so it cannot be shown`, {
      hint: 'Without --dry-run or --curl, it is sent unchanged.',
      cause: error,
    });
  }
}
