/** The workspace of the profile that `dtp init` sets up. A login has already stored the credential's workspace. */
import { call } from '../../invocation/call.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { over } from '../../invocation/over.ts';
import { isRecord } from '../../json-object.ts';
import { operations } from '../../operations/index.ts';
import { withSpinner } from '../../output/progress.ts';
import { changeSetting } from '../config/config.ts';
import type { Setup } from './setup.ts';

/** Prompts for the workspace if the profile has no workspace. Returns the invocation that uses it. */
export async function chooseWorkspace({ invocation, given, prompts, did }: Setup): Promise<Invocation> {
  const { context, argv, globals, openPrompts, settings } = invocation;
  if (settings.values.workspace || !prompts) return invocation;
  const all = await workspacesOf(invocation);
  if (all.length === 0) return invocation;
  const id = await prompts.pick('Which workspace?', all);
  await changeSetting(invocation, { args: ['workspace', id], flags: {}, program: given.program });
  did(`the workspace is ${id}`);
  return openInvocation(context, { argv, globals, openPrompts, way: { login: true } });
}

async function workspacesOf(invocation: Invocation) {
  const operation = operations.getWorkspaces;
  const answer = await over(invocation, { operation }, ({ connection, begin }) =>
    withSpinner(invocation.context, operation.summary, () =>
      call(connection, operation, {}, begin(operation).signal),
    ),
  );
  const rows: readonly unknown[] = answer.kind === 'json' && Array.isArray(answer.value) ? answer.value : [];
  return rows.filter(isRecord).flatMap(({ id, name }) => {
    if (typeof id !== 'string' || id === '') return [];
    return [{ value: id, label: typeof name === 'string' && name !== '' ? name : id, hint: id }];
  });
}
