/** Fills fields from settings: the workspace, and the slugs for the distribution endpoint. */
import { DtpError } from '../errors.ts';
import { definedIn, fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { commandLine, type Word } from '../settings/command-line.ts';
import { settingFields } from '../settings/keys.ts';
import type { Settings } from '../settings/resolve.ts';
import { notTrusted } from '../settings/trust.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { wordOf } from '../tree/vocabulary.ts';
import type { Connection } from './connection.ts';

const filledFields = ({ input }: Operation) =>
  Object.keys(input).flatMap((name) => {
    const key = settingFields[name];
    return key === undefined ? [] : [{ name, key }];
  });

/** Returns the input with placeholders for settings, for checks that run before the fields are filled. */
export const withPlaceholders = (operation: Operation, input: Input): Input => ({
  ...Object.fromEntries(filledFields(operation).map(({ name }) => [name, 'set later'])),
  ...input,
});

interface Sources {
  readonly settings: Settings;
  readonly connection: Connection;
  /** Undefined if no request may be sent. */
  readonly signal: AbortSignal | undefined;
}

/** Fills the input from the settings or, with `signal`, from the service. Throws `config` if a value is not known. */
export async function withSettings(operation: Operation, input: Input, { settings, connection, signal }: Sources) {
  const filled = filledFields(operation);
  const wanted = filled.map(({ name }) => name);
  await checkSlugs(filled, { settings, connection, signal });
  const found = filled.map(({ name, key }) => [name, settings.values[key]?.value ?? connection.known[key]] as const);
  const full: Record<string, unknown> = { ...input, ...Object.fromEntries(found) };
  if (wanted.includes('workspace_id') && settings.values.workspace)
    full.workspace_id = await connection.workspaceId(operation, signal, settings);
  if (settings.isOwnWorkspace && wanted.includes('workspace_id'))
    full.workspace_id ??= await connection.findOwn(operation, signal);
  if (wanted.includes('workspace_id') && full.workspace_id === undefined) {
    const placeholders = argumentsOf(operation).map(([name]) => wordOf(name).toUpperCase());
    throw new DtpError('config', 'no workspace is set', {
      hint: 'Set it with -w or DTP_WORKSPACE_ID, or store it:',
      next: [
        // The command line of `dtp api` cannot be derived from the operation.
        ...(operation.id === 'api' ? [] : [commandLine([...operation.command, ...placeholders, '-w', 'ID'])]),
        setWorkspace(settings, 'ID'),
        commandLine(['ws', 'list', ...profileFlag(settings)]),
      ],
    });
  }
  const missing = wanted.filter((name) => full[name] === undefined);
  return missing.length === 0 ? full : { ...(await slugs(connection, signal)), ...definedIn(full) };
}

const profileFlag = ({ profile: { source, value } }: Settings): readonly Word[] =>
  source === '--profile' ? [['--profile', value]] : [];

/** The command that stores the workspace in the profile. */
export const setWorkspace = (settings: Settings, id: string): string =>
  commandLine(['config', 'set', 'workspace', [id], ...profileFlag(settings)]);

/** Throws `config` if an untrusted .dtp.json would send a pull or a push to another organization or workspace. */
async function checkSlugs(filled: ReturnType<typeof filledFields>, { settings, connection, signal }: Sources) {
  for (const { key } of filled) {
    const untrusted = settings.untrusted[key];
    if (!untrusted) continue;
    const known = settings.values[key]?.value ?? connection.known[key];
    const own = known ?? (signal && fieldsOf(await slugs(connection, signal))[key]);
    if (own !== untrusted.value) throw notTrusted(key, untrusted);
  }
}

const slugHint = 'Pass --organization-slug and --workspace-slug.';

/** Gets the slugs of the credential's workspace and organization from validateApiKey. */
async function slugs(connection: Connection, signal: AbortSignal | undefined): Promise<Input> {
  if (!signal)
    throw new DtpError('config', 'the organization and workspace slugs are not set', {
      missing: 'slugs',
      hint: slugHint,
    });
  const { org_slug, workspace_slug } = await connection.whose(signal);
  if (typeof org_slug !== 'string' || typeof workspace_slug !== 'string')
    throw new DtpError('bad_response', 'the response has no org_slug or workspace_slug', { hint: slugHint });
  return { organization_slug: org_slug, workspace_slug };
}
