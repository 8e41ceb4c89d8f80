/** Prompts for one of the workspaces that the credential can list. */
import { call } from '../../invocation/connection.ts';
import type { Invocation, PromptChoice, Prompts } from '../../invocation/invocation.ts';
import { withConnection } from '../../invocation/over.ts';
import { isRecord } from '../../json-object.ts';
import { workspaceResource } from '../../operations/resources.ts';
import { withSpinner } from '../../output/progress.ts';
import { elementsOf } from '../../request/read.ts';

/** Returns the workspace that the user chose. The list marks the current workspace. Undefined if the list is empty. */
export async function pickWorkspace(invocation: Invocation, prompts: Prompts): Promise<PromptChoice | undefined> {
  const all = await workspacesOf(invocation);
  if (all.length === 0) return undefined;
  const id = await prompts.pick('Which workspace?', all);
  return all.find(({ value }) => value === id);
}

async function workspacesOf(invocation: Invocation): Promise<readonly PromptChoice[]> {
  const { list: operation, names = [] } = workspaceResource;
  const current = invocation.settings.values.workspace?.value;
  const answer = await withConnection(invocation, { operation }, ({ connection, begin }) =>
    withSpinner(invocation.context, operation.summary, () => call(connection, operation, {}, begin(operation).signal)),
  );
  const rows = elementsOf(answer);
  return rows.filter(isRecord).flatMap((row) => {
    const { id, name } = row;
    if (typeof id !== 'string' || id === '') return [];
    const isCurrent = current !== undefined && [id, ...names.map((field) => row[field])].includes(current);
    const label = typeof name === 'string' && name !== '' ? name : id;
    return [{ value: id, label, hint: id, ...(isCurrent && { isCurrent }) }];
  });
}
