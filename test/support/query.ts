/** Applies expressions of `--query`. */
import { expect } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { compileQuery } from '../../src/expressions/query.ts';
import { exactJson } from '../../src/json-object.ts';
import { parseJson } from '../../src/request/json.ts';

/** Returns the JSON text of a result, which shows every digit. */
export const result = (expression: string, value = '{}'): string =>
  exactJson(compileQuery(expression)(parseJson(value)));

/** Returns the message of a failure, without the flag. */
export function message(expression: string, value = '{}'): string {
  try {
    return result(expression, value);
  } catch (error) {
    expect(error).toBeInstanceOf(DtpError);
    expect((error as DtpError).code).toBe('usage');
    return (error as DtpError).message.replace(/^--query: /, '');
  }
}
