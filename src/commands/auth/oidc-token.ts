/** Implements `dtp auth oidc-token`, which gets the OIDC token of a CI job from its runner or from a variable. */

import type { Context } from '../../context.ts';
import { changedError, DtpError } from '../../errors.ts';
import { type Calls, exchange } from '../../invocation/connection.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { withConnection } from '../../invocation/over.ts';
import type { LocalInput, oidcTokenFlags } from '../../local/flags.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import { maskForRunner } from '../../output/write-text.ts';
import { fieldsIn } from '../../request/read.ts';
import { isLoopback } from '../../request/url.ts';
import { isOn } from '../../settings/switches.ts';

/** The variables that the GitHub Actions runner sets if a job may request a token. */
const URL_VARIABLE = 'ACTIONS_ID_TOKEN_REQUEST_URL';
const TOKEN_VARIABLE = 'ACTIONS_ID_TOKEN_REQUEST_TOKEN';

export async function oidcToken(
  invocation: Invocation,
  { flags: { variable, audience } }: LocalInput<typeof oidcTokenFlags>,
): Promise<Result> {
  const { context, log } = invocation;
  const token = variable === undefined ? await fetchToken(invocation, audience) : tokenIn(context, variable, audience);
  log.hide(token);
  maskForRunner(context, () => [token]);
  return { kind: 'value', value: token, shape: { secrets: 'all' } };
}

function tokenIn({ env }: Context, name: string, audience: string | undefined): string {
  if (audience !== undefined)
    throw new DtpError('usage', '--audience cannot be used with --variable: that token already has an audience', {
      hint: 'On GitLab, set aud in id_tokens.',
    });
  const value = (Object.hasOwn(env, name) && env[name]?.trim()) || '';
  if (isToken(value)) return value;
  // The message does not quote the value, because it may be another secret.
  throw new DtpError('config', `variable ${name} ${value === '' ? 'is not set' : 'is not an OIDC token'}`, {
    hint: `Give the job a token with that name. On GitLab: id_tokens: { ${name}: { aud: AUDIENCE } }`,
  });
}

/** Whether a value looks like a JSON Web Token: it has three parts, and the first part is an encoded object. */
const isToken = (text: unknown): text is string => typeof text === 'string' && /^e[\w-]+\.[\w-]+\.[\w-]+$/.test(text);

/** Requests a token from the endpoint of the GitHub Actions runner. The configured credential is not sent. */
async function fetchToken(invocation: Invocation, audience: string | undefined): Promise<string> {
  const { context, settings } = invocation;
  const { url, bearer } = endpointOf(context, audience);
  // Use the endpoint's origin as the base URL, so that the bearer token is only sent to that origin.
  const { base_url: _, allow_http: __, ...values } = settings.values;
  const { base_url: ___, ...untrusted } = settings.untrusted;
  const base_url = { value: url.origin, source: URL_VARIABLE };
  const endpoint = { ...settings, untrusted, values: { ...values, base_url } };
  const operation = { ...asked, path: url.pathname as Operation['path'] };
  const fetched = async ({ connection, begin }: Calls) => {
    const { signal } = begin(operation);
    const request = { method: 'GET', url: url.href, headers: { accept: 'application/json' } };
    const value = await exchange(connection.sendBearer(bearer), operation, request, signal);
    const { value: token } = fieldsIn(value);
    if (isToken(token)) return token;
    throw new DtpError('bad_response', `the response from ${url.host} has no OIDC token`);
  };
  return withConnection({ ...invocation, settings: endpoint }, { operation }, (calls) =>
    fetched(calls).catch((error) => Promise.reject(ofEndpoint(error))),
  );
}

/** Replaces the hint of an error, because hints about the credential and the base URL do not apply here. */
const ofEndpoint = (error: unknown): unknown =>
  error instanceof DtpError
    ? changedError(
        error,
        { hint: `The endpoint is set by ${URL_VARIABLE}.`, next: [] },
        `the CI runner returned no OIDC token: ${error.message}`,
      )
    : error;

const asked: Operation = {
  id: 'oidc-token',
  command: ['auth', 'oidc-token'],
  summary: 'Request an OIDC token from the CI runner',
  method: 'GET',
  path: '/v1/',
  input: {},
  result: 'record',
};

function endpointOf({ env }: Context, audience: string | undefined) {
  const [endpoint, bearer] = [env.ACTIONS_ID_TOKEN_REQUEST_URL, env.ACTIONS_ID_TOKEN_REQUEST_TOKEN];
  if (!endpoint || !bearer) throw noRunner(env, endpoint ? TOKEN_VARIABLE : URL_VARIABLE);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new DtpError('config', `${URL_VARIABLE} must be an https: URL`);
  if (audience !== undefined) url.searchParams.set('audience', audience);
  return { url, bearer };
}

/** Returns the error for a missing variable. Its hint depends on the CI system. */
function noRunner(env: Context['env'], missing: string): DtpError {
  if (isOn(env.GITHUB_ACTIONS))
    return new DtpError('config', `this job cannot request an OIDC token: ${missing} is not set`, {
      hint: 'Add this to the job or the workflow: permissions: { id-token: write }',
    });
  if (isOn(env.GITLAB_CI))
    return new DtpError('usage', '--variable is missing; pass the name of a variable in id_tokens', {
      hint: 'In .gitlab-ci.yml, add this to the job: id_tokens: { DTP_ID_TOKEN: { aud: AUDIENCE } }. Then run:',
      next: ['dtp auth oidc-token --variable DTP_ID_TOKEN'],
    });
  return new DtpError('config', `no CI runner was found: ${missing} is not set`, {
    hint: 'On GitHub Actions, add this to the job: permissions: { id-token: write }. Elsewhere, pass --variable.',
  });
}
