/** Handles the operations of the Code samples area. */
import { randomUUID } from 'node:crypto';
import type * as area from '../../operations/code-samples.ts';
import type { OperationInput } from '../../operations/index.ts';
import type { DatabaseRow } from '../data/columns.ts';
import { boundedDocument, readContent, storeContent } from '../data/contents.ts';
import { checkLanguage } from '../documents/languages.ts';
import type { MethodPath, SnippetChoice } from '../documents/snippets.ts';
import { storedNames } from '../documents/stored-names.ts';
import { type Handlers, type IdsOf, orNotFound, Refusal, replyJson, replyJsonText, type Scope } from '../handler.ts';
import { isRecord } from '../http/fields.ts';
import { parseRegistryUrl } from '../registry/names.ts';
import { readableRepository, revisionDocument } from '../registry/registry.ts';

const RUNNING_MS = 1000;

type Form = OperationInput<'generateCodeSamplePreview'>;

/** Returns undefined for an empty list, which does not count as a filter. */
const given = <T>(list: readonly T[] | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

function checkForm({ language, schema_file, ...rest }: Form) {
  if (!language) throw new Refusal(422, 'language is required');
  if (!schema_file) throw new Refusal(422, 'schema_file is required');
  checkLanguage(language);
  const choice: SnippetChoice = {
    languages: [language],
    operationIds: given(rest.operation_ids),
    packageName: rest.package_name,
    className: rest.sdk_class_name,
  };
  return { choice, file: schema_file };
}

function generate(
  { worker, store }: Pick<Scope, 'worker' | 'store'>,
  bytes: AsyncIterable<Uint8Array>,
  choice: SnippetChoice,
  workspaceId: string,
): Promise<Buffer> {
  const source = boundedDocument(bytes, 'schema_file');
  const stored = storedNames(store, workspaceId);
  return worker.run({ make: 'snippets', name: 'schema_file', choice, stored }, source);
}

const methodPathsOf = (list: readonly unknown[] | undefined): readonly MethodPath[] | undefined =>
  given(list)?.map((each) => {
    if (isRecord(each) && typeof each.method === 'string' && typeof each.path === 'string')
      return { method: each.method, path: each.path };
    throw new Refusal(422, 'method_paths must contain objects with method and path');
  });

async function finish(job: DatabaseRow, scope: Scope): Promise<DatabaseRow> {
  const bytes = readContent(scope.store, String(job.content_id));
  const done = await generate(scope, bytes, JSON.parse(String(job.record)), String(job.workspace_id)).then(
    (result) => ({ result: String(result), failure: null }),
    (error: unknown) => {
      // Any other error is not the fault of the document. The job stays open, so the next poll tries again.
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return { result: null, failure: error.message };
    },
  );
  scope.store.update('sample_jobs', { id: String(job.id) }, done);
  return { ...job, ...done };
}

export const codeSamples = {
  getCodeSamples: async (input, scope) => {
    const { organization, workspace, namespace, reference } = parseRegistryUrl(input.registry_url);
    if (!organization || !workspace)
      throw new Refusal(422, 'registry_url must end in organization/workspace/namespace');
    given(input.languages)?.forEach(checkLanguage);
    const methodPaths = methodPathsOf(input.method_paths);
    const repository = readableRepository(scope, scope.caller, [organization, workspace, namespace]);
    const { layer, bytes } = revisionDocument(scope.store, repository, reference);
    const choice = { languages: given(input.languages), operationIds: given(input.operation_ids), methodPaths };
    const stored = storedNames(scope.store, scope.caller.workspaceId);
    const task = { make: 'snippets', name: namespace, layer, choice, stored } as const;
    return replyJsonText(await scope.worker.run(task, bytes));
  },

  generateCodeSamplePreview: async (input, scope) => {
    const { choice, file } = checkForm(input);
    return replyJsonText(await generate(scope, file.open(), choice, scope.caller.workspaceId));
  },

  generateCodeSamplePreviewAsync: async (input, { store, caller, now }) => {
    const { choice, file } = checkForm(input);
    const content = await storeContent(store, file.open());
    const id = randomUUID();
    const job = { content_id: content.id, created_at: now().toISOString(), record: JSON.stringify(choice) };
    store.insert('sample_jobs', { id, workspace_id: caller.workspaceId, ...job });
    return replyJson(202, { job_id: id, status: 'pending' });
  },

  getCodeSamplePreviewAsync: async ({ jobID: id }, scope) => {
    const job = orNotFound(scope.store.find('sample_jobs', { id }), `job ${id} not found`);
    if (job.workspace_id !== scope.caller.workspaceId) throw new Refusal(403, `job ${id} belongs to another workspace`);
    if (scope.now().getTime() - Date.parse(String(job.created_at)) < RUNNING_MS)
      return replyJson(202, { status: 'running' });
    const done =
      job.result === null && job.failure === null ? await scope.worker.once(id, () => finish(job, scope)) : job;
    if (done.failure !== null) throw new Refusal(422, String(done.failure));
    return replyJsonText(String(done.result));
  },
} satisfies Handlers<IdsOf<typeof area>>;
