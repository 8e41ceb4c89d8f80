/** What must not compile: the type check fails where one of these does. */
import { expect, test } from 'vitest';
import type * as events from '../src/operations/events.ts';
import { type InputOf, operation } from '../src/operations/operation.ts';
import type * as publishingTokens from '../src/operations/publishing-tokens.ts';
import type * as suggest from '../src/operations/suggest.ts';
import type { Handlers, IdsOf } from '../src/service/handler.ts';

type Search = InputOf<typeof events.searchWorkspaceEvents>;
type Create = InputOf<typeof publishingTokens.createPublishingToken>;

test('inputs with a wrong, missing or unknown field do not compile', () => {
  const inputs = {
    right: { workspace_id: 'w', limit: 3, success: false } satisfies Search,
    // @ts-expect-error limit is a number
    text: { workspace_id: 'w', limit: '3' } satisfies Search,
    // @ts-expect-error workspace_id is required
    missing: { limit: 3 } satisfies Search,
    // @ts-expect-error there is no such field
    unknown: { workspace_id: 'w', colour: 'red' } satisfies Search,
    // @ts-expect-error a required member is missing
    member: { target_id: 't', target_resource: 'r', token_name: 'n' } satisfies Create,
  };
  expect(Object.keys(inputs)).toHaveLength(5);
});

const shape = { id: 'x', command: ['x'], summary: '', method: 'GET', result: 'none' } as const;
const id = { in: 'path', kind: 'string', required: true, help: '' } as const;

test('operations whose path and fields differ do not compile', () => {
  const made = [
    operation({ ...shape, path: '/v1/t/{tokenID}', input: { tokenID: id } }),
    // @ts-expect-error {tokenID} has no field
    operation({ ...shape, path: '/v1/t/{tokenID}', input: {} }),
    // @ts-expect-error tokenID is not in the path
    operation({ ...shape, path: '/v1/t', input: { tokenID: id } }),
    // @ts-expect-error a field is misnamed
    operation({ ...shape, path: '/v1/t/{tokenID}', input: { tokenId: id } }),
    // @ts-expect-error every path begins with /v1
    operation({ ...shape, path: '/t', input: {} }),
  ];
  expect(made).toHaveLength(5);
});

const none = () => undefined;

test('handlers that are missing or extra do not compile', () => {
  const all = {
    suggestOpenAPI: none,
    suggest: none,
    suggestItems: none,
    suggestOpenAPIRegistry: none,
  } satisfies Handlers<IdsOf<typeof suggest>>;
  const { suggestItems: _, ...fewer } = all;
  // @ts-expect-error suggestItems has no handler
  fewer satisfies Handlers<IdsOf<typeof suggest>>;
  const wrong = { ...all, suggestItems: (input: { body: number }) => input.body };
  // @ts-expect-error the handler wants another input
  wrong satisfies Handlers<IdsOf<typeof suggest>>;
  expect(Object.keys(all)).toHaveLength(4);
});
