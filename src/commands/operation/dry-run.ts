/** `--dry-run` and `--curl`: show the request without sending it. */
import { DtpError } from '../../errors.ts';
import type { Connection } from '../../invocation/connection.ts';
import { withSettings } from '../../invocation/fill.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { isNamedWorkspace, type TypedInput, unknownsIn } from '../../invocation/names-shape.ts';
import { credentialHeaderOf } from '../../invocation/send.ts';
import { type Input, isFile, type Operation } from '../../operations/operation.ts';
import { workspaceResource } from '../../operations/resources.ts';
import type { Result } from '../../output/result.ts';
import { buildRequest, jsonBody } from '../../request/build.ts';
import { curlOf } from '../../request/curl.ts';
import type { HttpRequest } from '../../request/http.ts';
import { redactHeaders, redactUrl, redactValue } from '../../request/redact.ts';
import { commandLine } from '../../settings/command-line.ts';

/** Throws `usage` if the credential is known to belong to another workspace. Adds a note if that is not known. */
export async function noteUnchecked({ settings, log }: Invocation, operation: Operation, connection: Connection) {
  const id = settings.values.workspace?.value;
  if (!(await connection.checkWorkspace(operation, undefined)))
    log.note(`no request was sent to check that the credential belongs to workspace "${id}"`);
}

/** Adds a note for each value that may be a name, because without --dry-run its id would then be sent instead. */
export async function noteNames(
  { settings: { values }, log }: Invocation,
  operation: Operation,
  typed: TypedInput,
  connection: Connection,
): Promise<void> {
  const { workspace } = values;
  const isUnknown =
    'workspace_id' in operation.input &&
    workspace !== undefined &&
    isNamedWorkspace(workspace) &&
    (await connection.findOwn(operation, undefined)) !== workspace.value;
  const unknowns = [
    ...(isUnknown ? [{ value: workspace.value, resource: workspaceResource }] : []),
    ...unknownsIn(operation, typed),
  ];
  for (const { value, resource } of unknowns)
    log.note(
      `the request contains "${value}" as given. To send it, dtp would first look up this name, with ${commandLine(resource.list.command)}`,
    );
}

/** The request that would be sent. Throws `usage` if it cannot be a curl command. */
export async function unsentRequest(
  invocation: Invocation,
  operation: Operation,
  typed: TypedInput,
  connection: Connection,
): Promise<Result> {
  const { context, settings, globals, log } = invocation;
  const input = await withSettings(operation, typed.input, { settings, connection, signal: undefined });
  await noteUnchecked(invocation, operation, connection);
  await noteNames(invocation, operation, typed, connection);
  const request = buildRequest(operation, input, connection.target, () => `dtp-${context.uuid()}`);
  const header = credentialHeaderOf(invocation, operation);
  if (!globals.curl) {
    const value = showRequest(operation, input, request, header);
    // A script expects nothing on stderr.
    const notes = context.stderr.isTTY === true ? ['nothing was sent'] : [];
    return { kind: 'value', value, shape: { asSent: true }, notes };
  }
  if (connection.target.base === 'local:')
    throw new DtpError('usage', '--curl needs a URL, but the embedded service (local:) does not have one', {
      hint: 'Start it on loopback with dtp serve.',
    });
  for (const { path, holds } of Object.values(input).filter(isFile))
    if (holds)
      log.warn(
        `this curl command sends only ${path}, without the files it refers to; bundle them into one document first`,
      );
  return { kind: 'text', text: `${curlOf(operation, input, request, { credential: header })}\n` };
}

/** Returns the request with secrets masked. `credential` is the name of a header. Files are shown by name and size. */
function showRequest(operation: Operation, input: Input, request: HttpRequest, credential: string | undefined) {
  const headers = credential === undefined ? request.headers : { ...request.headers, [credential]: '' };
  const { method, url, body } = request;
  const shown = { method, url: redactUrl(url), headers: redactHeaders(headers, [credential ?? '']) };
  if (body === undefined) return shown;
  return { ...shown, body: 'open' in body ? formOf(operation, input) : redactValue(jsonBody(operation, input)) };
}

function formOf(operation: Operation, input: Input): unknown {
  const parts = Object.entries(operation.input).filter(([name, at]) => at.in === 'part' && input[name] !== undefined);
  const shown = (value: unknown) => (isFile(value) ? { file: value.name, size: value.size } : redactValue(value));
  return Object.fromEntries(parts.map(([name]) => [name, shown(input[name])]));
}
