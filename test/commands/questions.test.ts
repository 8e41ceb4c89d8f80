/** The question before each operation that needs confirmation. */
import { expect, test } from 'vitest';
import { questionFor } from '../../src/commands/questions.ts';
import { allOperations } from '../../src/operations/index.ts';
import { harmOf } from '../../src/operations/operation.ts';

const host = 'api.example.test';
const id = 'ea31c0de-0000-4000-8000-000000000000';
const lose = 'Programs that use it lose access at once. This cannot be undone.';

test.each([
  ['deleteWorkspaceToken', { tokenID: id }, {}, `Delete token "${id}"? ${lose}`],
  [
    'deleteWorkspaceToken',
    { tokenID: 'deploy' },
    { tokenID: { id, name: 'deploy' } },
    `Delete token "deploy" (ea31c0de)? ${lose}`,
  ],
  [
    'deleteWorkspaceToken',
    { tokenID: 'ea31c0de' },
    { tokenID: { id, name: 'deploy' } },
    `Delete token "deploy" (ea31c0de)? ${lose}`,
  ],
  ['deleteWorkspaceToken', { tokenID: 'a\u001b[2J' }, {}, `Delete token "a\\u001b[2J"? ${lose}`],
  [
    'deletePublishingToken',
    { tokenID: 'ci' },
    { tokenID: { id, name: 'ci' } },
    'Delete publishing token "ci" (ea31c0de)? Programs that use it can no longer publish. This cannot be undone.',
  ],
  [
    'revokeUserAccessToWorkspace',
    { userId: 'ann@example.com' },
    { userId: { id, name: 'ann@example.com' } },
    'Remove "ann@example.com" (ea31c0de) from the workspace? The keys of this user will stop working.',
  ],
  [
    'setVisibility',
    { namespace_name: 'pets', public: true },
    {},
    'Make namespace "pets" public? Everyone will be able to read it.',
  ],
  [
    'createSchemaStoreItem',
    { body: { packageName: '@acme/pets' } },
    {},
    'Store the API document of package "@acme/pets" publicly? Everyone will be able to read it. This cannot be undone.',
  ],
  ['archiveNamespace', { namespace_name: 'pets', archived: true }, {}, 'Archive namespace "pets"?'],
] as const)('%s with %j', (operation, input, names, text) => {
  expect(questionFor(operation)?.({ input, names, host })).toBe(text);
});

const costs = 'This may incur charges.';

test.each([
  [
    'createOrganization',
    { body: { name: 'Acme Inc' } },
    undefined,
    `Create organization "Acme Inc"? ${costs}`,
    'Acme Inc',
  ],
  ['createOrganization', { body: {} }, undefined, `Create organization at ${host}? ${costs}`, host],
  ['createFreeTrial', {}, 'acme', `Start the free trial of organization "acme"? ${costs}`, 'acme'],
  ['createFreeTrial', {}, undefined, `Start the free trial of the organization at ${host}? ${costs}`, host],
  [
    'createBillingAddOns',
    { body: { add_ons: ['webhooks', 'snippet_ai'] } },
    'acme',
    `Buy add-ons "webhooks snippet_ai" for organization "acme"? ${costs}`,
    'webhooks snippet_ai',
  ],
  ['createBillingAddOns', { body: 5 }, undefined, `Buy add-ons for the organization at ${host}? ${costs}`, host],
  [
    'deleteBillingAddOn',
    { add_on: 'webhooks' },
    undefined,
    'Cancel add-on "webhooks"? This cannot be undone. This may incur charges.',
    'webhooks',
  ],
] as const)('%s with %j of %s', (operation, input, organization, text, type) => {
  expect(questionFor(operation)?.({ input, names: {}, organization, host })).toEqual({ text, type });
});

test('every operation that needs confirmation has a question, and no other', () => {
  const asking = allOperations.filter(({ id: one }) => questionFor(one));
  expect(asking).toEqual(allOperations.filter((one) => harmOf(one) !== undefined));
  for (const { id: one, effect, command } of asking) {
    const question = questionFor(one)?.({ input: {}, names: {}, host }) ?? '';
    const { text, type } = typeof question === 'string' ? { text: question, type: undefined } : question;
    expect(text).toMatch(/^[A-Z][^?]*\?( (Programs|The keys|This|Everyone) [^.?]*\.)*$/);
    expect(type !== undefined).toBe(effect === 'bill');
    expect(command).not.toContain(type);
  }
});
