/** The fields that settings fill: the workspace, and the slugs of the distribution endpoint. */
import { DtpError } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { commandLine } from '../settings/command-line.ts';
import type { Settings } from '../settings/resolve.ts';
import { argumentsOf, kebab, settingFields } from '../tree/operation-flags.ts';
import type { Connection } from './connect.ts';

/** With the setting that fills each. */
const filledFields = ({ input }: Operation) =>
  Object.keys(input).flatMap((name) => {
    const key = settingFields[name];
    return key === undefined ? [] : [{ name, key }];
  });

/** For checks before the settings are at hand. */
export const withPlaceholders = (operation: Operation, input: Input): Input => ({
  ...Object.fromEntries(filledFields(operation).map(({ name }) => [name, 'set later'])),
  ...input,
});

/** Who says what is filled in. */
interface Sources {
  readonly settings: Settings;
  readonly connection: Connection;
  /** Undefined where the service is not asked. */
  readonly signal: AbortSignal | undefined;
}

/**
 * The input with what the settings say, or what the service knows of the credential; it is asked under `signal`, and
 * never without one. Throws `config` for what nobody says.
 */
export async function withSettings(
  operation: Operation,
  input: Input,
  { settings, connection, signal }: Sources,
): Promise<Input> {
  const filled = filledFields(operation);
  const wanted = filled.map(({ name }) => name);
  const found = filled.map(
    ({ name, key }) => [name, settings.values[key]?.value ?? connection.known[key]] as const,
  );
  const full: Record<string, unknown> = { ...input, ...Object.fromEntries(found) };
  if (settings.isOwnWorkspace && wanted.includes('workspace_id'))
    full.workspace_id ??= await connection.findOwn(operation, signal);
  if (wanted.includes('workspace_id') && full.workspace_id === undefined) {
    const places = argumentsOf(operation).map(([name]) => kebab(name).toUpperCase());
    const profile = settings.profile.source === '--profile' ? ['--profile', settings.profile.value] : [];
    throw new DtpError('config', 'no workspace is set', {
      hint: 'Give one with -w or DTP_WORKSPACE_ID, or store one:',
      next: [
        // Of a path of the user's, nothing is known but the path.
        ...(operation.id === 'api' ? [] : [commandLine([...operation.command, ...places, '-w', 'ID'])]),
        commandLine(['config', 'set', 'workspace', 'ID', ...profile]),
        commandLine(['ws', 'list', ...profile]),
      ],
    });
  }
  const lacking = wanted.filter((name) => full[name] === undefined);
  return lacking.length === 0 ? full : { ...(await slugs(connection, signal)), ...defined(full) };
}

const defined = (all: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** `validateApiKey` names the slugs of the credential's workspace. */
async function slugs(connection: Connection, signal: AbortSignal | undefined): Promise<Input> {
  if (!signal)
    throw new DtpError('config', 'the organization and workspace slugs are not known without asking', {
      hint: 'Give --organization-slug and --workspace-slug.',
    });
  const { org_slug, workspace_slug } = await connection.whose(signal);
  if (typeof org_slug !== 'string' || typeof workspace_slug !== 'string')
    throw new DtpError('bad_response', 'the service does not say of which organization and workspace it is', {
      hint: 'Give --organization-slug and --workspace-slug.',
    });
  return { organization_slug: org_slug, workspace_slug };
}
