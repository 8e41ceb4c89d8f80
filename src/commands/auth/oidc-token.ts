/** The OIDC token of a CI job: from the runner's endpoint, or from a variable that the runner has put it into. */

import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import { exchange } from '../../invocation/call.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { type Calls, over } from '../../invocation/over.ts';
import type { LocalGiven } from '../../local/command.ts';
import type { oidcTokenFlags } from '../../local/flags.ts';
import type { Operation } from '../../operations/operation.ts';
import { hasRunner } from '../../output/journal.ts';
import type { Result } from '../../output/result.ts';
import { maskCommand } from '../../render/annotation.ts';
import { fieldsIn } from '../../request/read.ts';
import { isLoopback } from '../../request/url.ts';

/** The variables that GitHub's runner sets where a job may have a token. */
const URL_VARIABLE = 'ACTIONS_ID_TOKEN_REQUEST_URL';
const TOKEN_VARIABLE = 'ACTIONS_ID_TOKEN_REQUEST_TOKEN';

export async function oidcToken(
  invocation: Invocation,
  { flags: { variable, audience } }: LocalGiven<typeof oidcTokenFlags>,
): Promise<Result> {
  const { context, log } = invocation;
  const token =
    variable === undefined ? await fetchToken(invocation, audience) : tokenIn(context, variable, audience);
  log.hide(token);
  // Before it is written anywhere: from then on the runner shows it in no log.
  if (hasRunner(context)) context.stderr.write(maskCommand(token));
  return { kind: 'value', value: token };
}

function tokenIn({ env }: Context, name: string, audience: string | undefined): string {
  if (audience !== undefined)
    throw new DtpError('usage', '--audience: the token of a variable is made for an audience already', {
      hint: 'On GitLab it is the aud of id_tokens.',
    });
  const value = (Object.hasOwn(env, name) && env[name]?.trim()) || '';
  if (isToken(value)) return value;
  // What is in it is not told: it may be a secret all the same.
  throw new DtpError(
    'config',
    `the variable ${name} ${value === '' ? 'is not set' : 'holds no OIDC token'}`,
    {
      hint: `Give the job a token of that name. On GitLab: id_tokens: { ${name}: { aud: AUDIENCE } }`,
    },
  );
}

/** A JSON Web Token: three parts, of which the first is an object. */
const isToken = (text: unknown): text is string =>
  typeof text === 'string' && /^e[\w-]+\.[\w-]+\.[\w-]+$/.test(text);

/** Asks the endpoint of GitHub's runner, and nobody else; the configured credential stays out of it. */
async function fetchToken(invocation: Invocation, audience: string | undefined): Promise<string> {
  const { context, settings } = invocation;
  const { url, bearer } = endpointOf(context, audience);
  // To the connection the endpoint is a service like any other: its bearer goes to that origin alone.
  const { base_url: _, allow_http: __, ...values } = settings.values;
  const { base_url: ___, ...untrusted } = settings.untrusted;
  const endpoint = {
    ...settings,
    untrusted,
    values: { ...values, base_url: { value: url.origin, source: URL_VARIABLE } },
  };
  const operation = { ...asked, path: url.pathname as Operation['path'] };
  const fetched = async ({ connection, begin }: Calls) => {
    const { signal } = begin(operation);
    const request = { method: 'GET', url: url.href, headers: { accept: 'application/json' } };
    const value = await exchange(connection.sendBearer(bearer), operation, request, signal);
    const { value: token } = fieldsIn(value);
    if (isToken(token)) return token;
    throw new DtpError('bad_response', `the answer of ${url.host} holds no OIDC token`);
  };
  return over({ ...invocation, settings: endpoint }, { operation }, (calls) =>
    fetched(calls).catch((error: unknown) => {
      throw ofEndpoint(error);
    }),
  );
}

/** Hints on credentials and base addresses would be wrong here. */
const ofEndpoint = (error: unknown): unknown =>
  error instanceof DtpError
    ? new DtpError(error.code, `the CI runner gives no OIDC token: ${error.message}`, {
        ...error.facts,
        hint: `Its endpoint is the one of ${URL_VARIABLE}.`,
        next: [],
      })
    : error;

const asked: Operation = {
  id: 'oidc-token',
  command: ['auth', 'oidc-token'],
  summary: 'Ask the CI runner for an OIDC token',
  method: 'GET',
  path: '/v1/',
  input: {},
  result: 'record',
};

function endpointOf({ env }: Context, audience: string | undefined) {
  const [address, bearer] = [env.ACTIONS_ID_TOKEN_REQUEST_URL, env.ACTIONS_ID_TOKEN_REQUEST_TOKEN];
  if (!address || !bearer) throw noRunner(env, address ? TOKEN_VARIABLE : URL_VARIABLE);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new DtpError('config', `${URL_VARIABLE} must be an https: address`);
  if (audience !== undefined) url.searchParams.set('audience', audience);
  return { url, bearer };
}

/** What is missing depends on where we are. */
function noRunner(env: Context['env'], missing: string): DtpError {
  if (env.GITHUB_ACTIONS === 'true')
    return new DtpError('config', `this job may have no OIDC token: ${missing} is not set`, {
      hint: 'Give the job, or the workflow, permissions: id-token: write',
    });
  if (env.GITLAB_CI)
    return new DtpError('usage', '--variable is missing: give the name of a variable of id_tokens', {
      hint: 'Such as id_tokens: { DTP_ID_TOKEN: { aud: AUDIENCE } }, and then:',
      next: ['dtp auth oidc-token --variable DTP_ID_TOKEN'],
    });
  return new DtpError('config', `no CI runner gives OIDC tokens here: ${missing} is not set`, {
    hint: 'On GitHub Actions the job needs permissions: id-token: write; elsewhere name the variable with --variable.',
  });
}
