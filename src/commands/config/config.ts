/** Implements most `dtp config` commands, which show and change profiles and settings. */
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { durationOf } from '../../declarations/duration.ts';
import { DtpError } from '../../errors.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { LocalInput } from '../../local/flags.ts';
import { agentOf } from '../../output/agent.ts';
import type { Result } from '../../output/result.ts';
import { redactUrl, redactValue } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';
import { credentialKind, findCredential } from '../../settings/credential.ts';
import { choicesOf, faultOf, type ProfileSetting, profileSettings, settingKeys } from '../../settings/keys.ts';
import { allProfiles, builtIn, hiddenProfileText, type Setting, type Settings } from '../../settings/resolve.ts';
import { isOn } from '../../settings/switches.ts';
import { checkTrusted, type TrustedKey } from '../../settings/trust.ts';
import { configFolder } from '../../system/folders.ts';
import { proxyShown } from '../../transport/proxy.ts';
import { checkProfile, noteCurrentProfile, refuseBuiltIn, suggestArgument } from './profile.ts';

const done: Result = { kind: 'done' };

export async function listProfiles({ context, settings, log }: Invocation): Promise<Result> {
  const stored = (await context.openProfiles(configFolder(context))).read();
  for (const name of Object.keys(builtIn)) if (Object.hasOwn(stored.profiles, name)) log.warn(hiddenProfileText(name));
  const value = Object.entries(allProfiles(stored)).map(([name, one]) => ({
    name,
    current: name === settings.profile.value,
    base_url: redactValue(one.base_url ?? null),
    workspace: one.workspace ?? null,
    credential: credentialKind(one).replace('file', 'stored'),
  }));
  const columns = ['name', 'current', 'base_url', 'workspace', 'credential'];
  return { kind: 'value', value, shape: { columns, secrets: 'none' } };
}

export async function showPath({ context }: Invocation): Promise<Result> {
  return { kind: 'value', value: (await context.openProfiles(configFolder(context))).file };
}

export async function showSetting(
  { context, settings }: Invocation,
  { args: [given = ''] }: LocalInput,
): Promise<Result> {
  const { key } = settingOf(given);
  // A .dtp.json in a cloned repository must not select the profile whose settings are shown.
  checkTrusted(settings, 'profile');
  const { stored, profile } = settings;
  const value = stored[key];
  if (value !== undefined) return { kind: 'value', value: redactValue(value) };
  // Throws if the file cannot be read, because then it may have the setting.
  (await context.openProfiles(configFolder(context))).read();
  throw new DtpError('not_found', `profile ${profile.value} has no ${key}`, { next: ['dtp config explain'] });
}

/** Changes a setting, or without a value, removes it. */
export async function changeSetting(
  { context, settings, log }: Invocation,
  { args: [given = '', text] }: LocalInput,
): Promise<Result> {
  const { key, row } = settingOf(given);
  const { kind } = row;
  // Store an absolute path, because a relative path would mean a different file in each folder.
  const absolute = key === 'ca_cert' && text ? resolve(context.cwd, text) : text;
  const value = absolute === undefined ? undefined : parseSetting(key, kind, absolute);
  // A .dtp.json in a cloned repository must not select the profile that is changed.
  checkTrusted(settings, 'profile');
  const { profile } = settings;
  refuseBuiltIn(profile);
  const profiles = await context.openProfiles(configFolder(context));
  await profiles.update((now) => {
    const { [key]: _, ...rest } = now.profiles[profile.value] ?? {};
    const changed = value === undefined ? rest : { ...rest, [key]: value };
    return { ...now, profiles: { ...now.profiles, [profile.value]: changed } };
  });
  const what = value === undefined ? `${key} is unset` : `${key} is ${value}`;
  log.success(`${what} (profile ${profile.value})`);
  return done;
}

/** Returns the profile setting with this key. Throws `usage` if there is no such setting. */
function settingOf(key: string): ProfileSetting {
  const found = profileSettings.find((one) => one.key === key);
  if (found) return found;
  const keys = profileSettings.map((one) => one.key);
  const hint = key.includes('credential')
    ? 'To store a credential, run: dtp auth login'
    : `Available: ${keys.join(', ')}`;
  const suggestion = suggestArgument(key, keys, 0);
  throw new DtpError('usage', `unknown setting "${key}"`, suggestion.meant ? suggestion : { hint });
}

function parseSetting(key: string, kind: ProfileSetting['row']['kind'], text: string): string | number | boolean {
  const fault = faultOf(key, text);
  if (fault !== undefined) throw new DtpError('usage', `${key} ${fault}`, suggestArgument(text, choicesOf(key), 1));
  if (kind === 'string') return text;
  return kind === 'boolean' ? isOn(text) : durationOf(text, key) / 1000;
}

export async function useProfile(invocation: Invocation, { args: [name = ''] }: LocalInput): Promise<Result> {
  const { context } = invocation;
  const profiles = await context.openProfiles(configFolder(context));
  checkProfile(name, profiles.read(), [commandLine(['auth', 'login', ['--profile', name], '--base-url', 'URL'])]);
  await profiles.update((now) => ({ ...now, current: name }));
  await noteCurrentProfile(invocation, name, true);
  return done;
}

const unset = { value: null, source: 'not set' };

/** Lists all settings and their sources, without secrets. Values from an untrusted file are shown too. */
export async function explainSettings({ context, globals, settings }: Invocation): Promise<Result> {
  const { profile, values } = settings;
  const agent = await agentOf(context, globals);
  const detected =
    agent?.name === undefined ? undefined : { value: agent.name, source: 'detected; DTP_AGENT=0 ignores it' };
  const found = (key: TrustedKey, set: Setting | undefined) => {
    const stopped = settings.untrusted[key];
    if (!stopped) return set ?? unset;
    if (stopped.exposed) return { value: stopped.value, source: `${stopped.exposed.file}, ${stopped.exposed.why}` };
    const why = stopped.isChanged ? 'changed since it was trusted' : 'not trusted';
    return { value: stopped.value, source: `${stopped.source} (${why})` };
  };
  const value = [
    { setting: 'profile', ...found('profile', profile) },
    ...settingKeys.map((key) => {
      const { value, source } = found(key, key === 'agent' ? (values[key] ?? detected) : values[key]);
      const shown = key.endsWith('_proxy') && key !== 'no_proxy' ? proxyShown : redactUrl;
      return { setting: key, value: value && shown(value), source };
    }),
    ...credentialRows(context, settings),
  ];
  return { kind: 'value', value, shape: { columns: ['setting', 'value', 'source'], wholeIds: true } };
}

/** Returns the rows about the credential. If it cannot be found, the source column shows the error. */
function credentialRows(context: Context, settings: Settings) {
  const setting = 'credential';
  if (!settings.values.base_url && !settings.untrusted.base_url) return [{ setting, ...unset }];
  try {
    const base = baseUrlOf(settings);
    if (base.value === 'local:') return [{ setting, value: '***', source: 'the embedded service' }];
    const found = findCredential(context, settings, base);
    if (!found) return [{ setting, ...unset }];
    const ignored = (found.ignored ?? []).map((source) => ({ setting: 'ignored_credential', value: '***', source }));
    return [{ setting, value: '***', source: found.source }, ...ignored];
  } catch (error) {
    if (error instanceof DtpError) return [{ setting, value: null, source: `error: ${error.message}` }];
    throw error;
  }
}
