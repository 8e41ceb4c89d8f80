/** Documents of several files, sent from the command line to the embedded service and read back. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openSend } from '../../../src/transport/send.ts';
import { registry, write } from '../../support/artifacts.ts';
import { dtp } from '../../support/context.ts';
import { split, splitAsOne, splitJson, splitSnippets } from '../../support/documents.ts';
import { everyFlag } from '../../support/sent-documents.ts';

interface Snippet {
  readonly operationId: string;
  readonly code: string;
}

function checkSnippets(all: readonly Snippet[]): void {
  const codes = Object.fromEntries(all.map(({ operationId, code }) => [operationId, code]));
  expect(Object.keys(codes).sort()).toEqual(Object.keys(splitSnippets).sort());
  for (const [id, parts] of Object.entries(splitSnippets)) for (const part of parts) expect(codes[id]).toContain(part);
}

const targets = (overlay: string) => parse(overlay).actions.map(({ target }: { readonly target: string }) => target);

const expected = ['$["paths"]["/pets"]["get"]', '$["paths"]["/pets"]["post"]', '$["paths"]["/pets/{petId}"]["get"]'];

const checks: Readonly<Record<string, (stdout: string) => void>> = {
  'preview --schema-file': (stdout) => checkSnippets(JSON.parse(stdout).snippets),
  'jobs create --schema-file': (stdout) => checkSnippets(JSON.parse(stdout).snippets),
  'suggest openapi --schema': (stdout) => expect(targets(stdout)).toEqual(expect.arrayContaining(expected)),
  'schema-store create --spec': (stdout) => expect(parse(JSON.parse(stdout).spec)).toEqual(splitAsOne),
};

test.each([
  ['YAML', 'openapi.yaml', split],
  ['JSON', 'openapi.json', splitJson],
])('%s: every command that sends it, and every command that reads it from the registry', async (_, name, files) => {
  const { service, home } = await registry();
  write(home, files);
  const run = (argv: readonly string[]) =>
    dtp(argv, {
      home,
      cwd: home,
      openSend: async (options) => openSend(options),
      env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, DTP_ERROR_FORMAT: 'text' },
    });
  for (const [label, way] of everyFlag) {
    const isJob = label.startsWith('jobs');
    if (isJob) service.wait(2000);
    const started = await run(way(name));
    expect([label, started.code]).toEqual([label, 0]);
    if (!isJob) {
      checks[label]?.(started.stdout);
      continue;
    }
    service.wait(2000);
    const done = await run(['code-samples', 'jobs', 'get', JSON.parse(started.stdout).job_id, '-o', 'json']);
    expect([label, done.code]).toEqual([label, 0]);
    checks[label]?.(done.stdout);
  }

  const pushed = await run(['artifacts', 'push', name, '--namespace', 'pets', '--tag', 'v1', '-o', 'json']);
  expect(JSON.parse(pushed.stdout).files).toHaveLength(5);
  const got = await run(['code-samples', 'get', '--registry-url', 'local/default/pets:v1', '--languages', 'curl']);
  checkSnippets(JSON.parse(got.stdout).snippets);
  const suggested = await run(['suggest', 'registry', 'pets', 'v1']);
  expect(targets(suggested.stdout)).toEqual(expect.arrayContaining(expected));
});
