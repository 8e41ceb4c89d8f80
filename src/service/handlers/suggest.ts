/** Handles the operations of the Suggest area with fixed rules. The platform uses a language model instead. */
import type * as area from '../../operations/suggest.ts';
import { boundedDocument } from '../data/contents.ts';
import { describedSummaryOf, suggestOptions, tidyItem } from '../documents/overlay.ts';
import { type Handlers, type IdsOf, Refusal, replyJsonText } from '../handler.ts';
import { checkCount, isStrings, jsonObject, requiredString } from '../http/fields.ts';
import { findNamespace, revisionDocument } from '../registry/registry.ts';

/** So that they take less than 50 ms. */
const ITEMS_LIMIT = 10_000;

export const suggest = {
  suggestOpenAPI: async ({ schema, opts }, { worker }) => {
    const options = suggestOptions(opts);
    const source = boundedDocument(schema.open(), 'schema');
    return replyJsonText(await worker.run({ make: 'overlay', name: 'schema', options }, source));
  },

  suggest: async ({ body }, { worker, share }) => {
    const summary = JSON.stringify(describedSummaryOf(jsonObject(body).oas_summary));
    // It may wait for long, and each character may take two bytes.
    share.hold(2 * summary.length);
    const options = suggestOptions(body);
    return replyJsonText(await worker.run({ make: 'summary overlay', options }, summary));
  },

  suggestItems: ({ body }) => {
    const request = jsonObject(body);
    const prompt = requiredString(request, 'prompt');
    if (!isStrings(request.items)) throw new Refusal(422, 'items must be an array of strings');
    checkCount(request.items, 'items', ITEMS_LIMIT);
    return request.items.map((item) => tidyItem(item, prompt));
  },

  suggestOpenAPIRegistry: async ({ namespace_name, revision_reference, body }, { store, worker, caller }) => {
    const repository = { workspaceId: caller.workspaceId, namespace: namespace_name };
    if (!findNamespace(store, repository)) throw new Refusal(404, `namespace ${namespace_name} not found`);
    const { layer, bytes } = revisionDocument(store, repository, revision_reference);
    const options = suggestOptions(body);
    return replyJsonText(await worker.run({ make: 'overlay', name: namespace_name, layer, options }, bytes));
  },
} satisfies Handlers<IdsOf<typeof area>>;
