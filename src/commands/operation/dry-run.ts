/** `--dry-run` and `--curl`: the request is shown, and nothing is sent. */
import { DtpError } from '../../errors.ts';
import type { Connection } from '../../invocation/connect.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { credentialHeaderOf } from '../../invocation/send.ts';
import { type Input, isFile, type Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import { buildRequest } from '../../request/build.ts';
import { curlOf } from '../../request/curl.ts';
import { showRequest } from '../../request/show.ts';

/** Throws `usage` if the operation would act on another workspace than the one that is named; nothing is sent to find out. */
export async function noteUnchecked(
  { settings: { values }, log }: Invocation,
  operation: Operation,
  connection: Connection,
): Promise<void> {
  if (!(await connection.checkWorkspace(operation, undefined)))
    log.note(
      `not checked, because nothing is sent: whether the credential belongs to workspace "${values.workspace?.value}"`,
    );
}

/** The request that would be sent. Throws `usage` for a curl command that could not be run. */
export async function unsent(
  invocation: Invocation,
  operation: Operation,
  given: Input,
  connection: Connection,
): Promise<Result> {
  const { context, settings, globals, log } = invocation;
  const input = await withSettings(operation, given, { settings, connection, signal: undefined });
  await noteUnchecked(invocation, operation, connection);
  const request = buildRequest(operation, input, connection.target, () => `dtp-${context.uuid()}`);
  const header = credentialHeaderOf(invocation, operation);
  if (!globals.curl) return { kind: 'value', value: showRequest(operation, input, request, header) };
  if (connection.target.base === 'local:')
    throw new DtpError('usage', '--curl: the embedded service in process has no address', {
      hint: 'Run it on loopback with dtp serve.',
    });
  for (const { path, holds } of Object.values(input).filter(isFile))
    if (holds)
      log.warn(
        `this command sends ${path} alone: first make one document of it and the files that it refers to`,
      );
  return { kind: 'text', text: `${curlOf(operation, input, request, header)}\n` };
}
