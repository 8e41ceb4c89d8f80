/** Implements `dtp auth status`, which checks the credential and shows the settings that commands will use. */
import { DtpError } from '../../errors.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { idIn, workspaceMismatchText } from '../../invocation/workspace-text.ts';
import type { JsonObject } from '../../json-object.ts';
import { isOnScreen, type Output, viewOf } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { stateLine } from '../../render/card.ts';
import { render } from '../../render/index.ts';
import { visible } from '../../render/sanitize.ts';
import { nameAndId, shortId } from '../../render/short.ts';
import { findCredential } from '../../settings/credential.ts';
import { isOwn, profileShape, userText, validate } from './auth.ts';

/** Calls the service and returns the details of the credential. Throws `auth` if the credential is not valid. */
export async function showStatus(invocation: Invocation): Promise<Result> {
  const { context, output, settings, log } = invocation;
  // Other commands offer a login at a terminal. This one only reports the state.
  const [base, facts] = await checked(invocation).catch((error: unknown) => {
    if (!(error instanceof DtpError) || error.facts.missing === undefined) throw error;
    const { missing: _, ...advice } = error.facts;
    throw new DtpError(error.code, `not logged in: ${error.message}`, advice);
  });
  const credential = base.value === 'local:' ? undefined : findCredential(context, settings, base);
  const named = settings.values.workspace;
  const own = idIn(facts);
  const differs = !(await isOwn(invocation, facts));
  if (named && own !== undefined && differs) log.warn(workspaceMismatchText(named, own));
  const value = {
    valid: true,
    profile: settings.profile.value,
    base_url: base.value,
    scheme: credential?.scheme ?? 'api-key',
    credential_source: credential?.source ?? 'the embedded service',
    ignored_credentials: credential?.ignored ?? [],
    workspace_id: facts.workspace_id,
    workspace_slug: facts.workspace_slug,
    org_slug: facts.org_slug,
    named_workspace_id: named?.value ?? null,
    named_workspace_source: named?.source ?? null,
    workspaces_differ: differs,
  };
  const isShort = isOnScreen(output) && !output.allFields;
  const who = isShort && credential ? await userText(invocation) : '';
  const text = isShort ? await statusText(value, who, output) : undefined;
  return { kind: 'value', value, shape: profileShape, ...(text !== undefined && { text: () => text }) };
}

const checked = async (invocation: Invocation) => [baseUrlOf(invocation.settings), await validate(invocation)] as const;

/** Returns the short form for a terminal. It shows the selected workspace only if it is not the credential's. */
async function statusText(status: JsonObject, who: string, output: Output): Promise<string> {
  const { base_url: base, workspace_id: id, workspace_slug: slug, named_workspace_id: named } = status;
  const head = base === 'local:' ? 'The embedded service needs no login' : `Logged in to ${visible(`${base}${who}`)}`;
  const workspace = typeof id === 'string' ? nameAndId({ id, name: typeof slug === 'string' ? slug : id }) : slug;
  const shown = {
    profile: status.profile,
    ...(base !== 'local:' && { credential: `${status.scheme} from ${status.credential_source}` }),
    ignored_credentials: status.ignored_credentials,
    workspace,
    organization: status.org_slug,
    ...(status.workspaces_differ === true && {
      named_workspace_id: `${shortId(String(named ?? ''))}, by ${status.named_workspace_source}`,
    }),
  };
  return stateLine('good', head, output) + (await render(shown, 'table', viewOf(output, {})));
}
