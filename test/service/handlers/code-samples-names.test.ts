/** The names of a package and a class in code samples: from the request, or stored with the document. */
import { expect, test } from 'vitest';
import { codeSamples } from '../../../src/service/handlers/code-samples.ts';
import { schemaStore } from '../../../src/service/handlers/schema-store.ts';
import { zipOf } from '../../support/artifacts.ts';
import { anyScope, file, jsonOf, PETSTORE, pushDocument, serviceScope } from '../../support/service-scope.ts';

interface Snippets {
  readonly snippets: readonly { readonly code: string }[];
}

const preview = async (input: object): Promise<Snippets> =>
  jsonOf(await codeSamples.generateCodeSamplePreview({ schema_file: file(PETSTORE), ...input }, anyScope()));

const getPetTypescript = `// getPet
import { Acme } from "acme-pets";

const acme = new Acme({
  key: process.env.KEY_TOKEN ?? "",
});

const result = await acme.pets.getPet({
  petId: "PET_ID",
});
console.log(result);`;

const getPetPython = `# getPet
import os

from acme_pets import Acme

acme = Acme(
    key=os.environ["KEY_TOKEN"],
)

result = acme.pets.get_pet(
    pet_id="PET_ID",
)
print(result)`;

const acme = { package_name: 'acme-pets', sdk_class_name: 'Acme', operation_ids: ['getPet'] };

test.each([
  ['typescript', getPetTypescript],
  ['python', getPetPython],
])('with the names of a package and a class, code samples in %s call the SDK', async (language, code) => {
  const { snippets } = await preview({ language, ...acme });
  expect(snippets.map((one) => one.code)).toEqual([code]);
});

test.each(['curl', 'go', 'java', 'csharp', 'ruby', 'swift'])(
  'with the names of a package and a class, code samples in %s say that they are plain HTTP',
  async (language) => {
    const [named] = (await preview({ language, ...acme })).snippets;
    const [unnamed] = (await preview({ language, operation_ids: ['getPet'] })).snippets;
    const title = /^(#|\/\/) getPet/;
    expect(unnamed?.code).toMatch(title);
    expect(named?.code).toBe(unnamed?.code.replace(title, '$&, as plain HTTP without acme-pets'));
  },
);

test.each([
  [{ package_name: 'acme\nimport os' }, 'acme import os', 'AcmeImportOs', 'from acme_import_os import AcmeImportOs'],
  [{ package_name: '@acme/pet-sdk' }, '@acme/pet-sdk', 'PetSdk', 'from acme_pet_sdk import PetSdk'],
  [{ package_name: 'acme.pets"; x' }, 'acme.pets\\"; x', 'AcmePetsX', 'from acme.pets_x import AcmePetsX'],
  [{ sdk_class_name: 'AcmeAPI' }, 'acme-api', 'AcmeAPI', 'from acme_api import AcmeAPI'],
  [{ sdk_class_name: '2 Pets(); x' }, '2-pets-x', '_2Petsx', 'from _2_pets_x import _2Petsx'],
  [{ sdk_class_name: 'class' }, 'class', '_class', 'from class_ import _class'],
])('the names %j are names in each language', async (names, packageName, className, line) => {
  const codeIn = async (language: string) =>
    (await preview({ language, ...names, operation_ids: ['getPet'] })).snippets[0]?.code.split('\n') ?? [];
  expect((await codeIn('typescript'))[1]).toBe(`import { ${className} } from "${packageName}";`);
  expect(await codeIn('python')).toContain(line);
});

test('names that are stored with a document count for code samples of the same document', async () => {
  const { scope, stranger } = serviceScope();
  const store = (packageName: string, as = scope) =>
    schemaStore.createSchemaStoreItem({ spec: PETSTORE, packageName, sdkClassname: 'Acme', format: 'yaml' }, as);
  const input = { schema_file: file(PETSTORE), language: 'typescript', operation_ids: ['getPet'] };
  const importIn = (answer: Snippets) => answer.snippets[0]?.code.split('\n')[1];
  const previewed = async (more: object = {}) =>
    importIn(await jsonOf(await codeSamples.generateCodeSamplePreview({ ...input, ...more }, scope)));
  const plain = 'const response = await fetch("https://pets.example/v1/pets/PET_ID", {';
  await store('of-a-stranger', { ...scope, caller: stranger.caller });
  expect(await previewed()).toBe(plain);
  await store('first');
  await store('second');
  expect(await previewed()).toBe('import { Acme } from "second";');
  expect(await previewed({ package_name: 'third' })).toBe('import { Third } from "third";');
  expect(await previewed({ schema_file: file(`${PETSTORE}# changed`) })).toBe(plain);

  const zip = zipOf([{ name: 'openapi.yaml', content: PETSTORE }]);
  await pushDocument(scope, 'local/default/pets', zip);
  const query = { registry_url: 'local/default/pets', languages: ['typescript'], operation_ids: ['getPet'] };
  expect(importIn(await jsonOf(await codeSamples.getCodeSamples(query, scope)))).toBe('import { Acme } from "second";');
});

test('names that are stored before a job ends count for it', async () => {
  const { scope, wait } = serviceScope();
  const input = { language: 'python', operation_ids: ['getPet'], schema_file: file(PETSTORE) };
  const { job_id: jobID } = await jsonOf(await codeSamples.generateCodeSamplePreviewAsync(input, scope));
  await schemaStore.createSchemaStoreItem(
    { spec: PETSTORE, packageName: 'acme-pets', sdkClassname: 'Acme', format: 'yaml' },
    scope,
  );
  wait(1000);
  const { snippets } = await jsonOf(await codeSamples.getCodeSamplePreviewAsync({ jobID }, scope));
  expect(snippets[0].code).toBe(getPetPython);
});
