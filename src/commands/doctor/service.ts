/** Checks the service: the clock, the credential, the workspace, and whether generation is allowed. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { localCredential } from '../../invocation/connect.ts';
import { exchange } from '../../invocation/connection.ts';
import { advise } from '../../invocation/explain.ts';
import { setWorkspace } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isNamedWorkspace } from '../../invocation/names-shape.ts';
import { openCalls } from '../../invocation/over.ts';
import { idIn, sourceOf, workspaceMismatchText } from '../../invocation/workspace-text.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { Log } from '../../output/log.ts';
import { buildRequest } from '../../request/build.ts';
import type { Send } from '../../request/http.ts';
import { fieldsIn } from '../../request/read.ts';
import { findCredential } from '../../settings/credential.ts';
import type { Setting, Settings } from '../../settings/resolve.ts';
import { isOn } from '../../settings/switches.ts';
import { dataFolder } from '../../system/folders.ts';
import { CHECK_LIMIT_MS, type Finding, failed, ok, skip, warn, withTimeLimit } from './check.ts';

/** The largest difference between the clocks that is still accepted, in milliseconds. */
const LARGEST_CLOCK_DIFFERENCE = 300_000;

type Service = Awaited<ReturnType<typeof openRemote | typeof openLocal>>;

export async function serviceChecks(invocation: Invocation, base: Setting | undefined, isReached: boolean) {
  const { context, settings, log } = invocation;
  const skipped = (why: string, credential = skip('credential', why)) => [
    skip('clock', why),
    credential,
    skip('workspace', why),
    skip('access', why),
  ];
  if (!base) return skipped('no valid base URL');
  let service: Service;
  try {
    if (!isReached) return skipped('the service cannot be reached', await uncheckedCredential(context, settings, base));
    service = base.value === 'local:' ? await openLocal(context, log) : await openRemote(invocation, base);
  } catch (error) {
    return skipped('the service was not called', failed('credential', error, 'dtp config explain'));
  }
  try {
    return await ask(invocation, service);
  } finally {
    await service.close();
  }
}

/** Reports where the credential comes from, without calling the service. Fails if no credential is configured. */
async function uncheckedCredential(context: Context, settings: Settings, base: Setting): Promise<Finding> {
  const found = findCredential(context, settings, base);
  if (!found) {
    const { noCredential } = await import('../../invocation/credential-advice.ts');
    const missing = noCredential(context, settings, base);
    const { hint = '' } = missing.facts;
    return failed('credential', missing, isOn(context.env.CI) ? hint : 'dtp auth login');
  }
  const text = `the credential from ${found.source} was not checked, because the service cannot be reached`;
  return skip('credential', text);
}

async function openRemote(invocation: Invocation, base: Setting) {
  const { context, settings, globals } = invocation;
  const source = findCredential(context, settings, base)?.source ?? '';
  const { calls, open } = await openCalls(invocation, { operation: operationsFor('auth').validateApiKey });
  const { connection } = calls;
  return {
    target: connection.target,
    // Skip the workspace check, because a credential can be valid even if another workspace is selected.
    sendFor: connection.sendUnchecked,
    // Without a credential.
    sendBare: connection.sendBearer(undefined),
    advised: (error: unknown, operation: Operation) =>
      advise(error, { context, operation, settings, globals, connection }),
    source,
    close: open.end,
  };
}

/** Opens the embedded service, in memory if it has no store on disk yet, so that the check creates no files. */
async function openLocal(context: Context, log: Log) {
  const { openEmbeddedService } = await import('../../invocation/embedded.ts');
  const { withCredential } = await import('../../transport/credentials.ts');
  const isThere = existsSync(join(dataFolder(context), 'service.db'));
  const embedded = await openEmbeddedService(context, log, isThere ? {} : { file: ':memory:' });
  log.hide(embedded.key);
  const credential = localCredential(embedded.key);
  return {
    target: { base: 'local:', words: {} },
    sendFor: async () => log.sends(withCredential(embedded.send, credential)),
    sendBare: log.sends(embedded.send),
    advised: (error: unknown) => error,
    source: 'the embedded service',
    close: embedded.close,
  };
}

/** The fix for a failed call, because the base URL may lead to another server. */
const checkBase = 'Check that the base URL is correct: dtp config explain';

async function ask({ context, settings }: Invocation, service: Service): Promise<readonly Finding[]> {
  const operation = operationsFor('auth').validateApiKey;
  let clock = skip('clock', 'the service sent no Date header');
  const timed =
    (send: Send): Send =>
    async (request, options) => {
      const start = context.date().getTime();
      const response = await send(request, options);
      const { date } = response.headers;
      if (date !== undefined) clock = clockFinding(date, (start + context.date().getTime()) / 2);
      return response;
    };
  const tried = async (send: Send, op: Operation, input: Input, signal: AbortSignal) =>
    fieldsIn(await exchange(send, op, buildRequest(op, input, service.target), signal));

  let credential: Finding;
  let own: string | undefined;
  try {
    const details = await withTimeLimit(context, async (signal) => {
      const send = await service.sendFor(operation).catch(async (error: unknown) => {
        // The clocks can be compared without a credential, so call the service anyway.
        await tried(timed(service.sendBare), operation, {}, signal).catch(() => undefined);
        throw error;
      });
      return tried(timed(send), operation, {}, signal);
    });
    own = idIn(details);
    const of = details.workspace_slug ?? details.workspace_id;
    credential = ok('credential', `valid, from ${service.source}${of === undefined ? '' : `, for workspace ${of}`}`);
  } catch (error) {
    credential = failed('credential', service.advised(error, operation), checkBase);
  }
  if (credential.status === 'fail')
    return [clock, credential, ...['workspace', 'access'].map((one) => skip(one, 'the credential cannot be used'))];
  const workspace = await workspaceCheck(settings, own, context, service);
  const access =
    workspace.status === 'warn' && settings.values.workspace
      ? skip('access', 'the credential belongs to a different workspace')
      : await accessCheck(context, service, tried);
  return [clock, credential, workspace, access];
}

/** Checks whether the selected workspace is the credential's workspace, which many commands act on. */
async function workspaceCheck(settings: Settings, own: string | undefined, context: Context, service: Service) {
  if (own === undefined)
    return skip('workspace', 'the service did not report which workspace the credential belongs to');
  const named = settings.values.workspace;
  if (!named && (settings.isOwnWorkspace || service.target.base === 'local:'))
    return ok('workspace', `${own}, from the credential`);
  if (!named) {
    const text = `no workspace is set, which commands such as dtp events post need; the credential belongs to ${own}`;
    return warn(
      'workspace',
      text,
      isOn(context.env.CI) ? `Set DTP_WORKSPACE_ID to ${own}.` : setWorkspace(settings, own),
    );
  }
  if (named.value === own) return ok('workspace', `${own}, which matches the credential (${sourceOf(named)})`);
  if (isNamedWorkspace(named)) {
    const { workspaceIdOf } = await import('../../invocation/names.ts');
    const wire = { target: service.target, sendUnchecked: service.sendFor };
    try {
      const of = { context, operation: operationsFor('ws').getWorkspaces, setting: named, ms: CHECK_LIMIT_MS };
      const id = await withTimeLimit(context, (signal) => workspaceIdOf(of, wire, signal));
      if (id === own) return ok('workspace', `${named.value}, which matches the credential (${sourceOf(named)})`);
    } catch (error) {
      return failed('workspace', service.advised(error, operationsFor('ws').getWorkspaces), 'dtp ws list');
    }
  }
  const { adviceFor } = await import('../../invocation/own-workspace.ts');
  return warn('workspace', workspaceMismatchText(named, own), adviceFor(named, service.target.base));
}

function clockFinding(date: string, now: number): Finding {
  const theirs = Date.parse(date);
  if (Number.isNaN(theirs)) return skip('clock', 'the service sent an invalid Date header');
  const apart = Math.abs(now - theirs);
  if (apart <= LARGEST_CLOCK_DIFFERENCE)
    return ok('clock', `within ${Math.max(1, Math.round(apart / 1000))} s of the service clock`);
  const direction = now > theirs ? 'ahead of' : 'behind';
  const text = `the clock of this machine is ${Math.round(apart / 60_000)} min ${direction} the service`;
  return warn('clock', text, 'Set the clock, for example with: timedatectl set-ntp true');
}

async function accessCheck(
  context: Context,
  service: Service,
  tried: (send: Send, op: Operation, input: Input, signal: AbortSignal) => Promise<Record<string, unknown>>,
): Promise<Finding> {
  // Send this request only once, because the usual retries take longer than the time limit of a check.
  const { retry: _, ...operation } = operationsFor('auth').getWorkspaceAccess;
  try {
    const { generation_allowed, message, level } = await withTimeLimit(context, async (signal) =>
      tried(await service.sendFor(operation), operation, { passive: true }, signal),
    );
    const state = generation_allowed ? 'generation is allowed' : 'generation is not allowed';
    const said = typeof message === 'string' && message !== state ? `${state}: ${message}` : state;
    if (generation_allowed && level !== 'warning') return ok('access', said);
    return warn('access', said, 'dtp orgs usage get');
  } catch (error) {
    return failed('access', service.advised(error, operation), checkBase);
  }
}
