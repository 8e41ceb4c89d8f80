/** The rows of a response, which the output reads as they arrive, twice, or as a whole. */
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { ListSource } from '../../output/result.ts';
import { passedOn } from '../../request/http.ts';
import { type BytesValue, readWhole } from '../../request/read.ts';
import { rowsIn } from '../../request/rows.ts';
import { builtin } from '../../system/builtin.ts';
import { type KeptBytes, keepBytes } from '../../system/kept-bytes.ts';
import { limitYoungObjects } from '../../system/young-objects.ts';

export const keptIn = (context: Pick<Context, 'uuid'>): KeptBytes =>
  keepBytes(() => join(builtin('node:os').tmpdir(), `dtp-rows-${context.uuid()}`));

/** The list in a response. `kept` has its bytes already, or gets them if the rows are read twice. */
export function listIn(field: Operation['rows'], response: BytesValue, kept: KeptBytes, isKept = false): ListSource {
  let isAgain = isKept;
  const body = (again = false) => {
    if (isAgain) return kept.read();
    isAgain = again;
    return again ? passedOn(response.body, { see: kept.add }) : response.body;
  };
  return {
    rows: async function* (again) {
      const groups = rowsIn(passedOn(body(again), limitYoungObjects()), field, response.bad);
      let group = await groups.next();
      for (; !group.done; group = await groups.next()) yield group.value.rows;
      const { hasRows, value } = group.value;
      return hasRows ? undefined : { value };
    },
    whole: () => readWhole({ ...response, body: body() }),
    close: kept.close,
  };
}
