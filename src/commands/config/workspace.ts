/** Implements `dtp ws use`, which stores a workspace in the profile. */
import { DtpError } from '../../errors.ts';
import { call } from '../../invocation/connection.ts';
import type { Invocation, PromptChoice } from '../../invocation/invocation.ts';
import { isIdShaped, isNamedWorkspace } from '../../invocation/names-shape.ts';
import { withConnection } from '../../invocation/over.ts';
import type { LocalInput } from '../../local/flags.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Result } from '../../output/result.ts';
import { nameAndId, shortId } from '../../render/short.ts';
import { commandLine, flagText, sameService } from '../../settings/command-line.ts';
import { checkTrusted } from '../../settings/trust.ts';
import { configFolder } from '../../system/folders.ts';
import { refuseBuiltIn } from './profile.ts';

/**
 * Stores the id of a workspace, so that later commands do not have to look up its name. An id is stored without a
 * request. Throws `usage` if several workspaces have the name, and `not_found` if the service does not know the value.
 */
export async function useWorkspace(invocation: Invocation, { args: [argument] }: LocalInput): Promise<Result> {
  const { context, settings, log } = invocation;
  // A .dtp.json in a cloned repository must not select the profile that is changed.
  checkTrusted(settings, 'profile');
  const { profile } = settings;
  refuseBuiltIn(profile, `Pass ${flagText('-w', argument ?? 'NAME')} to each command instead.`);
  const picked = argument === undefined ? await chosen(invocation) : undefined;
  const given = argument ?? picked?.value ?? '';
  const setting = { value: given, source: '<workspace>' };
  const selected = { ...settings, values: { ...settings.values, workspace: setting } };
  const operation = operationsFor('ws').getWorkspace;
  const purpose = { operation, input: { workspace_id: given } };
  const selecting = { ...invocation, settings: selected };
  const { id, own } = await withConnection(selecting, purpose, async ({ connection, begin }) => {
    const { signal } = begin(operation);
    const found = (await connection.workspaceId(operation, signal, selected)) ?? given;
    // What is not listed may be an id. If the service cannot say so, it is stored too.
    if (found === given && isNamedWorkspace(setting))
      await call(connection, operation, purpose.input, signal).catch((error: unknown) => {
        if (!(error instanceof DtpError) || error.code === 'not_found') throw error;
      });
    return { id: found, own: await connection.findOwn(operation, undefined) };
  });
  const isOther = own !== undefined && own !== id;
  const choice = isOther ? await offerLogin(invocation, { own, name: picked?.label ?? given }) : 'select';
  if (choice === 'login') {
    const { logIn } = await import('../auth/auth.ts');
    const login = { ...invocation, globals: { ...invocation.globals, workspace: id } };
    return (await logIn(login, { args: [], flags: {} })) ?? { kind: 'done' };
  }
  if (choice === 'keep') throw new DtpError('cancelled', 'cancelled; the workspace is the same as before');
  const profiles = await context.openProfiles(configFolder(context));
  await profiles.update((now) => ({
    ...now,
    profiles: { ...now.profiles, [profile.value]: { ...now.profiles[profile.value], workspace: id } },
  }));
  const name = picked?.label ?? given;
  const what = nameAndId({ id, name: isIdShaped(name) ? id : name });
  log.success(`the workspace of profile ${profile.value} is now ${what}`);
  if (isOther) warnOfOwn(invocation, own, name);
  return { kind: 'done' };
}

/** Asks what to do about a credential of another workspace. Without prompts, selects it: some commands work with it. */
async function offerLogin(
  { settings: { stored }, openPrompts }: Invocation,
  { own, name }: { readonly own: string; readonly name: string },
): Promise<string> {
  const prompts = openPrompts();
  if (!prompts) return 'select';
  const slug = stored.credential_workspace === own ? stored.workspace_slug : undefined;
  const [place, wanted] = [slug ?? shortId(own), shortId(name)];
  return prompts.pick(`The credential is for workspace ${place}, not for ${wanted}. What now?`, [
    { value: 'login', label: `Log in for ${wanted}`, hint: 'with another credential' },
    { value: 'keep', label: `Keep ${place}`, hint: 'change nothing' },
    { value: 'select', label: `Select ${wanted} anyway`, hint: 'some commands then exit with 2' },
  ]);
}

/** Warns that the credential is for another workspace, and suggests a login for the new one. */
function warnOfOwn({ settings: { stored, profile, values }, log }: Invocation, own: string, name: string): void {
  const { credential_workspace: id, workspace_slug: slug } = stored;
  const known = id === own ? slug : undefined;
  const place = nameAndId({ id: own, name: known ?? own });
  const wanted = shortId(name);
  log.warn(
    `the credential is for workspace ${place}. Commands that use the credential's workspace, such as dtp artifacts push, exit with 2 until you log in with one for ${wanted}`,
  );
  const base = values.base_url?.value;
  if (base !== undefined && base !== 'local:')
    log.next(commandLine(['auth', 'login', ['--profile', profile.value], ['--base-url', base]]));
  if (known !== undefined) log.aside(`  to go back: ${commandLine(['ws', 'use', [known]])}`);
}

/** Prompts for a workspace. Throws `usage` if prompts are not possible, or if there are no workspaces. */
async function chosen(invocation: Invocation): Promise<PromptChoice> {
  const { argv, globals, log, openPrompts } = invocation;
  const prompts = openPrompts();
  const service = sameService(globals, false);
  if (!prompts)
    throw new DtpError('usage', 'missing argument: WORKSPACE', {
      hint: 'Give the id, name or slug of a workspace. List them with:',
      next: [commandLine(['ws', 'list', ...service])],
    });
  const { pickWorkspace } = await import('./pick-workspace.ts');
  const choice = await pickWorkspace(invocation, prompts);
  if (!choice) throw new DtpError('usage', 'no workspaces found', { next: [commandLine(['ws', 'create', '--help'])] });
  log.note(`Running: ${commandLine(argv, [[choice.value]])}`);
  return choice;
}
