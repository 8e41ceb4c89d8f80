/** A path outside of the boundary that the user typed may be a pipe, such as `<(…)`: it is read once, like a file. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostileFolder, inside } from '../support/hostile-folder.ts';
import { run } from '../support/hostile-run.ts';
import { filesReadLocally, filesSent } from '../support/path-table.ts';

const document = JSON.stringify({ openapi: '3.1.0', info: { title: inside, version: '1' }, paths: {}, profiles: {} });

/** Makes a pipe. Its writer waits until somebody reads it. */
function makePipe(path: string, file: string): string {
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', 'exec cat "$0" > "$1"', file, path], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill('SIGKILL'));
  return path;
}

/** A repository, a file outside of it, and a pipe with the same name and content. */
async function place(content: string) {
  const folder = await hostileFolder();
  for (const name of ['file', 'pipe.d']) mkdirSync(join(folder.outside, name));
  const file = join(folder.outside, 'file', 'x.json');
  writeFileSync(file, content);
  return { folder, file, pipe: makePipe(join(folder.outside, 'pipe.d', 'x.json'), file) };
}

// A command that serves is ended after a time, so it does not show the same each time.
const uses = Object.entries({ ...filesSent, ...filesReadLocally }).filter(([name]) => name !== '--owner-key-file');

test.each(uses)('%s', async (name, use) => {
  const { folder, file, pipe } = await place(document);
  // The service of this test takes no revision. The digest shows the content too.
  const more = name === 'artifacts push file' ? ['--dry-run', '-o', 'json'] : [];
  const outcome = async (path: string) => {
    const { argv, ...others } = use(path);
    const ended = await run(folder, { ...others, argv: [...argv, ...more] });
    const text = JSON.stringify(ended).replaceAll(path, 'PATH');
    // The rest is the same each time.
    return text.replaceAll(/dtp-[\w-]+|[0-9a-f-]{36}|\d{4}-\d\d-\d\dT[\d:.]+Z|elapsed_ms\\*": \d+/g, '');
  };
  // The first command corrects permissions, with a warning.
  await run(folder, { argv: ['config', 'list'] });
  const expected = await outcome(file);
  expect(await outcome(pipe)).toEqual(expected);
  if (name === 'code-samples preview file') expect(expected).toContain(inside);
  if (name === 'artifacts push file') expect(expected).toContain('openapi.json');
});

const taking: readonly (readonly [string, (path: string) => readonly string[]])[] = [
  ['code-samples preview', (path) => ['code-samples', 'preview', path, '--language', 'go']],
  ['code-samples jobs create', (path) => ['code-samples', 'jobs', 'create', '--language', 'go', path]],
  ['suggest openapi', (path) => ['suggest', 'openapi', path]],
  ['suggest from-summary', (path) => ['suggest', 'from-summary', path]],
  ['artifacts push', (path) => ['artifacts', 'push', path, 'pets']],
];

test.each(taking)('%s: a document in a pipe cannot refer to other files', async (_, argv) => {
  const { folder, pipe } = await place('openapi: 3.1.0\npaths: {$ref: ./paths.yaml}\n');
  writeFileSync(join(folder.outside, 'pipe.d', 'paths.yaml'), '{}');
  const { code, stderr, sent } = await run(folder, { argv: argv(pipe) });
  expect([code, sent, stderr]).toEqual([2, '', expect.stringMatching(/refers to \.\/paths\.yaml .* has no folder/)]);
});

test.each(taking.filter(([name]) => name !== 'suggest from-summary'))(
  '%s: an empty pipe is refused',
  async (_, argv) => {
    const { folder, pipe } = await place('');
    const { code, stderr, sent } = await run(folder, { argv: argv(pipe) });
    expect([code, sent, stderr]).toEqual([2, '', expect.stringContaining(`nothing was written to ${pipe}`)]);
  },
);

test.each(taking)('%s: a device that never ends is refused', async (_, argv) => {
  const folder = await hostileFolder();
  const { code, stderr, sent } = await run(folder, { argv: argv('/dev/zero') });
  expect([code, sent, stderr]).toEqual([2, '', expect.stringContaining('/dev/zero is larger than 64 MiB')]);
});
