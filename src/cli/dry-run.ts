/** `--dry-run` and `--curl`: the request is shown, and nothing is sent. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { FileValue, Input, Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import { curlOf } from '../request/curl.ts';
import { showRequest } from '../request/show.ts';
import type { Connection } from './connection.ts';
import { emitResult, emitText } from './emit.ts';
import type { Globals } from './globals.ts';
import type { Log } from './log.ts';
import type { Output } from './output.ts';
import { credentialHeaderOf } from './sender.ts';
import type { Settings } from './settings.ts';

export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

/** Throws `usage` if the operation would act on another workspace than the one that is named; nothing is sent to find out. */
export async function noteUnchecked(
  connection: Connection,
  operation: Operation,
  { values }: Settings,
  log: Log,
): Promise<void> {
  if (!(await connection.checkWorkspace(operation, undefined)))
    log.note(
      `not checked, because nothing is sent: whether the credential belongs to workspace "${values.workspace?.value}"`,
    );
}

/** Throws `usage` for a curl command that could not be run. */
export async function emitUnsent(
  context: Context,
  operation: Operation,
  input: Input,
  settings: Settings,
  connection: Connection,
  globals: Globals,
  output: Output,
  log: Log,
): Promise<void> {
  await noteUnchecked(connection, operation, settings, log);
  const request = buildRequest(operation, input, connection.target, () => `dtp-${context.uuid()}`);
  const header = credentialHeaderOf(context, operation, settings, log);
  if (!globals.curl)
    return emitResult(context, showRequest(operation, input, request, header), output, {}, log);
  if (connection.target.base === 'local:')
    throw new DtpError('usage', '--curl: the embedded service in process has no address', {
      hint: 'Run it on loopback with dtp serve.',
    });
  for (const { path, holds } of Object.values(input).filter(isFile))
    if (holds)
      log.warn(
        `this command sends ${path} alone: first make one document of it and the files that it refers to`,
      );
  await emitText(context, `${curlOf(operation, input, request, header)}\n`, { ...output, format: 'raw' });
}

const isFile = (value: unknown): value is FileValue =>
  typeof value === 'object' && value !== null && 'open' in value && 'size' in value;
