/** Applies JMESPath expressions to results: nearly all of them in place, and those that take long in a thread. */
import { DtpError } from '../errors.ts';
import { exactJson } from '../json-object.ts';
import { parseJson } from '../request/json.ts';
import { memoryOf, openThread, type QueryAnswer } from './aside.ts';
import { OutOfMemory, OutOfSteps, textSize } from './meter.ts';
import { compileQuery, mostMemory, openMeter, queryFault, type Selection } from './query.ts';

/** The steps that run in place: about a tenth of a second. Nothing can interrupt them there. */
const fewSteps = 1_000_000;

/** Throws `usage` for an expression that is not valid. */
export function compileSelection(expression: string, label = '--query'): Selection {
  const query = compileQuery(expression, label);
  const inPlace = (values: readonly unknown[], steps: number) => {
    const meter = openMeter(steps);
    try {
      return values.map((one) => query(one, meter));
    } catch (error) {
      if (error instanceof OutOfSteps) return undefined;
      throw error;
    }
  };
  const aside = async (values: readonly unknown[], signal: AbortSignal) => {
    const input = exactJson(values);
    const { run, end } = openThread<QueryAnswer>();
    const answer =
      memoryOf(input) < mostMemory ? await run({ input, expression, label }, signal).finally(end) : undefined;
    if (!answer) throw queryFault(label, new OutOfMemory());
    if ('results' in answer) return parseJson(answer.results) as readonly unknown[];
    throw new DtpError('usage', answer.message, { hint: answer.hint });
  };
  // Reading and printing a long value takes about a step for each of its characters, so an expression may take the same.
  return async (values, { signal }) =>
    inPlace(values, fewSteps) ?? inPlace(values, textSize(values, Infinity)) ?? aside(values, signal);
}
