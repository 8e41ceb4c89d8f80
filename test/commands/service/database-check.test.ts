/** `dtp serve --check --database` with a server that is not a database. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { dtp, temporaryFolder } from '../../support/context.ts';

const answered = (result: unknown) =>
  JSON.stringify({ results: [{ type: 'ok', response: { type: 'batch', result } }] });
const resultsOf = (count: number, rows: readonly unknown[]) => ({
  step_results: Array.from({ length: count }, () => ({ cols: [{ name: 'a' }], rows, affected_row_count: 0 })),
  step_errors: Array.from({ length: count }, () => null),
});

const answers: Readonly<Record<string, (count: number) => string>> = {
  'a web page': () => '<h1>It works</h1>',
  nothing: () => '',
  'another JSON object': () => '{"status":"ok"}',
  null: () => 'null',
  'no results': () => '{"results":[]}',
  'a result that is a number': () => '{"results":[1]}',
  'a result without statements': () => answered({ step_results: [], step_errors: [] }),
  'a result without anything': () => answered(undefined),
  'fewer statements than there were': () => answered(resultsOf(0, [])),
  'statements without rows': (count) => answered(resultsOf(count, [])),
  'the same row for each statement': (count) => answered(resultsOf(count, [[{ type: 'text', value: 'meta' }]])),
  'a 1 for each statement': (count) => answered(resultsOf(count, [[{ type: 'integer', value: '1' }]])),
};

/** The findings of the check, for a server that answers to the SQL statements of a request. */
async function checked(answer: (statements: readonly string[]) => string) {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { steps } = JSON.parse(Buffer.concat(chunks).toString()).requests[0].batch;
    response.end(answer(steps.map(({ stmt }: { stmt: { sql: string } }) => stmt.sql)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const argv = ['serve', '--check', '-o', 'json', '--database', `http://${host}`];
  const { code, stdout } = await dtp(argv, { home: temporaryFolder() });
  return { code, host, database: JSON.parse(stdout)[1] };
}

test.each(Object.entries(answers))('%s is a failed check with a reason', async (_, answer) => {
  const { code, host, database } = await checked(({ length }) => answer(length));
  expect([code === 3 || code === 11, database.status], JSON.stringify(database)).toEqual([true, 'fail']);
  expect(database.message).toMatch(new RegExp(`^cannot use the database at ${host}: \\S`));
  expect(database.fix).not.toBe('');
});

test('a server that answers as an empty database does passes', async () => {
  const one = [[{ type: 'integer', value: '1' }]];
  const { code, database } = await checked(({ length, 0: sql }) =>
    answered(resultsOf(length, sql === 'SELECT 1' ? one : [])),
  );
  expect([code, database.status]).toEqual([0, 'ok']);
});
