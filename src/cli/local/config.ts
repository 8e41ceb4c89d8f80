/** `dtp config …`: the profiles, and where each setting comes from. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { redactUrl, redactValue } from '../../request/redact.ts';
import type { Configuration, Profile } from '../../store/profiles.ts';
import { proxyShown } from '../../transport/proxy.ts';
import { commandLine } from '../advice.ts';
import { baseAddress } from '../connection.ts';
import { findCredential } from '../credential.ts';
import { emitDone, emitResult } from '../emit.ts';
import { fileName } from '../folder-file.ts';
import { configFolder } from '../folders.ts';
import type { Globals } from '../globals.ts';
import { openLog } from '../log.ts';
import { outputOf } from '../output.ts';
import {
  allProfiles,
  builtIn,
  hiddenProfileText,
  resolveSettings,
  type Setting,
  type Settings,
} from '../settings.ts';
import { choicesOf, faultOf, type SettingKey, sources } from '../sources.ts';
import { fillLater, groupOf } from '../tree.ts';
import { checkTrusted, type TrustedKey } from '../trust.ts';
import { checkProfile, deleteProfile, meantBy, refuseBuiltIn } from './profile.ts';

const keyHelp = () =>
  `the name of a setting: ${[
    ...Object.entries(sources).flatMap(([key, source]) => ('profile' in source ? [key] : [])),
    'credential_command',
  ].join(', ')}`;

export function addConfig(program: Command, context: Context, argv: readonly string[]): void {
  const config = groupOf(program, ['config']).description('Profiles and settings');
  fillLater(config, () => addBelow(config, program, context, argv));
}

function addBelow(config: Command, program: Command, context: Context, argv: readonly string[]): void {
  const globals = (): Globals => program.opts();
  const print = async (result: unknown, columns?: readonly string[]) => {
    const settings = await resolveSettings(context, globals(), { mending: true });
    await emitResult(
      context,
      result,
      await outputOf(context, globals(), settings),
      { columns },
      openLog(context, globals()),
    );
  };

  const done = (command: string, work: () => Promise<void>) => emitDone(context, globals(), command, work);

  config
    .command('list')
    .description('List the profiles')
    .action(async () =>
      print(await list(context, globals()), ['name', 'current', 'base_url', 'workspace', 'credential']),
    );
  config
    .command('get')
    .description('Show a setting of the profile')
    .argument('<key>', keyHelp())
    .action(async (key: string) => print(await get(context, globals(), key)));
  config
    .command('set')
    .description('Change a setting of the profile')
    .argument('<key>', keyHelp())
    .argument('<value>', 'its value')
    .action(async (key: string, value: string) =>
      done('config set', () => change(context, globals(), key, value)),
    );
  config
    .command('unset')
    .description('Forget a setting of the profile')
    .argument('<key>', keyHelp())
    .action(async (key: string) => done('config unset', () => change(context, globals(), key, undefined)));
  config
    .command('path')
    .description('Show where the profiles are kept')
    .action(async () => print((await context.openProfiles(configFolder(context))).file));
  config
    .command('use')
    .description('Make a profile the current one')
    .argument('<profile>', 'its name, as the list shows it')
    .action(async (name: string) => done('config use', () => use(context, globals(), name)));
  config
    .command('delete')
    .description('Delete a profile and its credential')
    .argument('<profile>', 'its name, as the list shows it')
    .action(async (name: string) =>
      done('config delete', () => deleteProfile(context, globals(), name, argv)),
    );
  const named = `a ${fileName} or its folder; else the one that applies here`;
  config
    .command('trust')
    .description('Let a folder file decide where requests go')
    .argument('[file]', named)
    .action(async (file?: string) =>
      done('config trust', async () => (await ofTrust()).trustFile(context, globals(), file, argv)),
    );
  config
    .command('untrust')
    .description('Stop trusting a folder file')
    .argument('[file]', named)
    .action(async (file?: string) =>
      done('config untrust', async () => (await ofTrust()).distrustFile(context, globals(), file)),
    );
  config
    .command('explain')
    .description('Show each setting and where it comes from')
    .action(async () => print(await explain(context, globals()), ['setting', 'value', 'source']));
}

const ofTrust = () => import('./trust.ts');

async function list(context: Context, globals: Globals) {
  const stored = (await context.openProfiles(configFolder(context))).read();
  const { profile } = await resolveSettings(context, globals, { mending: true });
  const log = openLog(context, globals);
  for (const name of Object.keys(builtIn))
    if (Object.hasOwn(stored.profiles, name)) log.warn(hiddenProfileText(name));
  return Object.entries(allProfiles(stored)).map(([name, one]) => ({
    name,
    current: name === profile.value,
    base_url: redactValue(one.base_url ?? null),
    workspace: one.workspace ?? null,
    credential:
      one.credential_command !== undefined ? 'command' : one.credential === undefined ? 'none' : 'stored',
  }));
}

/** Settings for a command on the profile itself: no cloned folder chooses which one. Throws `config`. */
async function ofProfile(context: Context, globals: Globals): Promise<Settings> {
  const settings = await resolveSettings(context, globals, { mending: true });
  checkTrusted(settings, 'profile');
  return settings;
}

async function get(context: Context, globals: Globals, key: string) {
  await knownKey(key);
  const { stored, profile } = await ofProfile(context, globals);
  const value = stored[key as keyof Profile];
  if (value !== undefined) return redactValue(value);
  throw new DtpError('not_found', `profile ${profile.value} has no ${key}`, { next: ['dtp config explain'] });
}

async function change(
  context: Context,
  globals: Globals,
  key: string,
  text: string | undefined,
): Promise<void> {
  const kind = await knownKey(key);
  // A relative path would be another file in each folder, and there somebody else's.
  const meant = key === 'ca_cert' && text ? resolve(context.cwd, text) : text;
  const value = meant === undefined ? undefined : typed(key, kind, meant);
  const { profile } = await ofProfile(context, globals);
  refuseBuiltIn(profile);
  const profiles = await context.openProfiles(configFolder(context));
  await profiles.update((now) => withKey(now, profile.value, key, value));
  const what = value === undefined ? `${key} is unset` : `${key} is ${value}`;
  openLog(context, globals).note(`${what} (profile ${profile.value})`);
}

function withKey(now: Configuration, name: string, key: string, value: unknown): Configuration {
  const { [key as keyof Profile]: _, ...rest } = now.profiles[name] ?? {};
  const profile = value === undefined ? rest : { ...rest, [key]: value };
  return { ...now, profiles: { ...now.profiles, [name]: profile } };
}

async function knownKey(key: string) {
  const { profileKeys } = await import('../../store/profile-keys.ts');
  const found = profileKeys.find((one) => one.key === key);
  if (found) return found.kind;
  const keys = profileKeys.map((one) => one.key);
  const hint = key.includes('credential')
    ? 'A credential is stored with: dtp auth login'
    : `The settings: ${keys.join(', ')}.`;
  const meant = meantBy(key, keys, 0);
  throw new DtpError('usage', `"${key}" is no setting of a profile`, meant.meant ? meant : { hint });
}

function typed(key: string, kind: 'string' | 'integer' | 'boolean', text: string): string | number | boolean {
  const fault = faultOf(key, text);
  if (fault !== undefined) throw new DtpError('usage', `${key} ${fault}`, meantBy(text, choicesOf(key), 1));
  if (kind === 'string') return text;
  if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (kind === 'integer' && /^\d+$/.test(text)) return Number(text);
  throw new DtpError(
    'usage',
    `${key} must be ${kind === 'boolean' ? 'true or false' : 'a whole number'}; "${text}" is not`,
  );
}

async function use(context: Context, globals: Globals, name: string): Promise<void> {
  const profiles = await context.openProfiles(configFolder(context));
  checkProfile(name, profiles.read(), [
    commandLine(['auth', 'login', '--profile', name, '--base-url', 'URL']),
  ]);
  await profiles.update((now) => ({ ...now, current: name }));
  openLog(context, globals).note(`the current profile is ${name}`);
}

const none = { value: null, source: 'not set' };

/**
 * Every setting, set or not; of the credential only where it comes from, and no password of a proxy. What an untrusted
 * folder file decides is shown, as it stops the commands that would use it.
 */
async function explain(context: Context, globals: Globals) {
  const settings = await resolveSettings(context, globals, { mending: true });
  const { profile, values } = settings;
  const found = (key: TrustedKey, set: Setting | undefined) => {
    const stopped = settings.untrusted[key];
    if (!stopped) return set ?? none;
    const why = stopped.isChanged ? 'changed since it was trusted' : 'not trusted';
    return { value: stopped.value, source: `${stopped.source} (${why})` };
  };
  return [
    { setting: 'profile', ...found('profile', profile) },
    ...(Object.keys(sources) as SettingKey[]).map((key) => {
      const { value, source } = found(key, values[key]);
      const shown = key.endsWith('_proxy') && key !== 'no_proxy' ? proxyShown : redactUrl;
      return { setting: key, value: value && shown(value), source };
    }),
    ...credentialRows(context, settings),
  ];
}

/** Explaining must not fail over what it explains: a fault stands where the source would. */
function credentialRows(context: Context, settings: Settings) {
  const setting = 'credential';
  if (!settings.values.base_url && !settings.untrusted.base_url) return [{ setting, ...none }];
  try {
    const base = baseAddress(settings);
    if (base.value === 'local:') return [{ setting, value: '***', source: 'the embedded service' }];
    const found = findCredential(context, settings, base);
    if (!found) return [{ setting, ...none }];
    const ignored = (found.ignored ?? []).map((source) => ({
      ...{ setting: 'ignored_credential', value: '***' },
      source,
    }));
    return [{ setting, value: '***', source: found.source }, ...ignored];
  } catch (error) {
    if (error instanceof DtpError) return [{ setting, value: null, source: `error: ${error.message}` }];
    throw error;
  }
}
