/** `dtp artifacts pull` of what does not exist says whether the namespace or the revision is missing. */
import { expect, test } from 'vitest';
import { document, registry, sha, write } from '../../support/artifacts.ts';

test('an unknown tag, digest or namespace', async () => {
  const { run, home } = await registry();
  write(home, { 'openapi.json': document() });
  expect((await run(['push', 'openapi.json', 'pets:v1', '--tag', 'stable'])).code).toBe(0);
  const told = async (reference: string) => {
    const { code, stderr } = await run(['pull', reference]);
    expect(code, stderr).toBe(6);
    return stderr;
  };
  for (const [reference, text] of [
    ['pets', 'pets has no tag latest'],
    ['pets:v9', 'pets has no tag v9'],
    [`pets@${sha('x')}`, `pets has no revision ${sha('x')}`],
  ] as const) {
    const stderr = await told(reference);
    expect(stderr).toContain(`: ${text}\n`);
    expect(stderr).toMatch(/Its tags: (v1, stable|stable, v1)\. List what exists:\n.*dtp artifacts tags list pets\n/);
  }
  const unknown = await told('nope:v1');
  expect(unknown).toContain(': the namespace nope does not exist\n');
  expect(unknown).toContain('try: dtp artifacts namespaces list\n');
  expect(unknown).not.toContain('dtp artifacts tags list');
});
