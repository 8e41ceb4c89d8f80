/** The workspace of the profile that `dtp init` sets up. A login has already stored the credential's workspace. */
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import { changeSetting } from '../config/config.ts';
import { pickWorkspace } from '../config/pick-workspace.ts';
import type { Setup } from './setup.ts';

/** Prompts for the workspace if the profile has no workspace. Returns the invocation that uses it. */
export async function chooseWorkspace({ invocation, prompts, did }: Setup): Promise<Invocation> {
  const { context, argv, globals, openPrompts, settings } = invocation;
  if (settings.values.workspace || !prompts) return invocation;
  const { value: id } = (await pickWorkspace(invocation, prompts)) ?? {};
  if (id === undefined) return invocation;
  await changeSetting(invocation, { args: ['workspace', id], flags: {} });
  did(`the workspace is ${id}`);
  return openInvocation(context, { argv, globals, openPrompts, way: { login: true } });
}
