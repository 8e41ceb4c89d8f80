/** `dtp ws use`: stores a workspace in the profile. */
import type { Invocation } from '../../invocation/invocation.ts';
import { isIdShaped } from '../../invocation/names-shape.ts';
import { over } from '../../invocation/over.ts';
import { otherText } from '../../invocation/workspace-check.ts';
import type { LocalGiven } from '../../local/command.ts';
import { operations } from '../../operations/index.ts';
import type { Result } from '../../output/result.ts';
import { checkTrusted } from '../../settings/trust.ts';
import { configFolder } from '../../system/folders.ts';
import { refuseBuiltIn } from './profile.ts';

/**
 * Stores the id of the workspace, so that later commands need no list. An id is stored without a request. Throws
 * `usage` and `not_found` if a name does not stand for one workspace.
 */
export async function useWorkspace(
  invocation: Invocation,
  { args: [given = ''] }: LocalGiven,
): Promise<Result> {
  const { context, settings, log } = invocation;
  // A .dtp.json in a cloned folder must not choose the profile that is changed.
  checkTrusted(settings, 'profile');
  const { profile } = settings;
  refuseBuiltIn(profile);
  const setting = { value: given, source: '<workspace>' };
  const chosen = { ...settings, values: { ...settings.values, workspace: setting } };
  const operation = operations.getWorkspaces;
  const { id, own } = await over(invocation, { operation }, async ({ connection, begin }) => {
    const { signal } = begin(operation);
    const found = (await connection.workspaceId(operation, signal, chosen)) ?? given;
    return { id: found, own: await connection.findOwn(operation, undefined) };
  });
  const profiles = await context.openProfiles(configFolder(context));
  await profiles.update((now) => ({
    ...now,
    profiles: { ...now.profiles, [profile.value]: { ...now.profiles[profile.value], workspace: id } },
  }));
  const what = id === given || isIdShaped(given) ? id : `${given} (${id})`;
  log.success(`the workspace is ${what} (profile ${profile.value})`);
  if (own !== undefined && own !== id)
    log.warn(otherText({ value: id, source: `profile ${profile.value}` }, own));
  return { kind: 'done' };
}
