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
  const request = buildRequest(operation, input, connection.target, () => `dtp-${context.uuid()}`);
  const header = credentialHeaderOf(context, operation, settings);
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
  await emitText(context, `${curlOf(operation, input, request, header)}\n`, output);
}

const isFile = (value: unknown): value is FileValue =>
  typeof value === 'object' && value !== null && 'open' in value && 'size' in value;
