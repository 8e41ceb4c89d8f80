/** Merges the current inputs and overlays of a remote source into its output. */
import type { OpenScope } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { publish } from './publish.ts';
import { findRevision, isArchived, ofRepository, type Repository, revisionDocument } from './registry.ts';
import { findRemoteSource, ignoredOf, type SourcePart, sourcePartsOf } from './remote-sources.ts';

/** An input of a remote source may be the output of another remote source, up to this depth. */
const DEPTH_LIMIT = 10;

/**
 * Updates the output of a remote source, if an input has changed, before it is read. Throws Refusal if that fails.
 * `fresh` has the outputs that this request has already updated, because many sources may have the same inputs.
 */
export async function refreshOutput(scope: OpenScope, repository: Repository, depth = 0, fresh = new Set<string>()) {
  const source = findRemoteSource(scope.store, repository);
  const at = `${repository.workspaceId} ${repository.namespace}`;
  if (!source || fresh.has(at)) return;
  await scope.share.turn();
  const name = `the remote source of ${repository.namespace}`;
  if (depth > DEPTH_LIMIT)
    throw new Refusal(422, `${name} is made from its output, or from more than ${DEPTH_LIMIT} others`);
  const parts = sourcePartsOf(JSON.parse(String(source.record)), scope.store, repository.workspaceId);
  const ignored = ignoredOf(source);
  const used = (list: readonly SourcePart[]) => list.filter((part) => !ignored.includes(part.repository.namespace));
  const [inputs, overlays] = [used(parts.inputs), used(parts.overlays)];
  // If all inputs are ignored, the last output stays the same.
  if (inputs.length === 0) return;
  for (const part of [...inputs, ...overlays]) {
    const { namespace } = part.repository;
    if (isArchived(scope.store, part.repository))
      throw new Refusal(422, `${part.at}: namespace ${namespace} is archived`);
    await refreshOutput(scope, part.repository, depth + 1, fresh);
  }
  fresh.add(at);
  const digests = [inputs, overlays].map((list) => list.map((part) => revisionOf(scope, part)));
  const key = JSON.stringify(digests);
  if (scope.store.find('remote_outputs', ofRepository(repository))?.inputs === key) return;
  await scope.worker.once(`remote ${at} ${key}`, async () => {
    await publish(scope, repository, await merged(scope, inputs, overlays));
    // This is stored last. If the process is killed before, the next read merges again and gets the same revision.
    scope.store.insert('remote_outputs', { ...ofRepository(repository), inputs: key }, 'replace');
  });
}

/** Identifies the current content of a part, with the workspace, because two may have namespaces of the same name. */
const revisionOf = ({ store }: OpenScope, { repository, reference }: SourcePart): string =>
  `${repository.workspaceId}/${repository.namespace}@${findRevision(store, repository, reference)?.digest}`;

function merged(scope: OpenScope, inputs: readonly SourcePart[], overlays: readonly SourcePart[]) {
  const open = ({ at, repository, reference }: SourcePart) => {
    const { layer, bytes, size } = revisionDocument(scope.store, repository, reference);
    return { bytes, part: { name: `${at} (${repository.namespace})`, layer, size } };
  };
  const documents = inputs.map(open);
  const changes = overlays.map(open);
  const bytes = async function* () {
    for (const each of [...documents, ...changes]) yield* each.bytes;
  };
  const parts = { documents: documents.map(({ part }) => part), overlays: changes.map(({ part }) => part) };
  return scope.worker.run({ make: 'merge', ...parts }, bytes());
}
