/** A warning names each id of --operation-ids that the document does not have, before the document is sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const documents = {
  'pets.yaml': 'openapi: 3.1.0\npaths: {/pets: {get: {operationId: listPets}, post: {operationId: createPet}}}\n',
  'pets.json': JSON.stringify({ openapi: '3.1.0', paths: { '/pets': { get: { operationId: 'listPets' } } } }),
  'unnamed.yaml': 'openapi: 3.1.0\npaths: {/pets: {get: {}}}\n',
  'broken.yaml': 'openapi: [',
};

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

test.each<[file: string, ids: readonly string[], warnings: readonly string[]]>([
  ['pets.yaml', ['listPets', 'createPet'], []],
  ['pets.yaml', ['listPet'], ['pets.yaml has no operation "listPet" (did you mean "listPets"?)']],
  ['pets.yaml', ['nope', 'listPets'], ['pets.yaml has no operation "nope"; it has listPets, createPet']],
  [
    'pets.json',
    ['a', 'b'],
    ['pets.json has no operation "a"; it has listPets', 'pets.json has no operation "b"; it has listPets'],
  ],
  ['pets.yaml', ['get pets'], []],
  ['-', ['nope'], ['standard input has no operation "nope"; it has listPets, createPet']],
  // A service may name an operation without an id.
  ['unnamed.yaml', ['nope'], []],
  ['broken.yaml', ['nope'], ['broken.yaml has no operation "nope"; it has no operation ids']],
])('%s with %j', async (file, ids, warnings) => {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(home, name), text);
  for (const command of [['preview'], ['jobs', 'create']]) {
    const { asked, openSend } = service(() => [200, { snippets: [], job_id: 'j_1' }]);
    const flags = ['--language', 'go', ...ids.flatMap((id) => ['--operation-ids', id])];
    const { code, stderr } = await dtp(['code-samples', ...command, file, ...flags], {
      ...{ home, env, own: 'w_1', openSend, stdin: documents['pets.yaml'] },
    });
    expect([code, asked.length]).toEqual([0, 1]);
    expect(stderr.split('\n').filter((line) => line.startsWith('warning: '))).toEqual(
      warnings.map((text) => `warning: ${text}; sending it anyway`),
    );
  }
});
