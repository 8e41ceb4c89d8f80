/** Shows the requests of the page: without secrets, and with the commands that would send them again. */
import { attempt } from '../../caught.ts';
import { exactJson, fieldsOf } from '../../json-object.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { findTemplate, isParameter, segmentsOf } from '../../operations/paths.ts';
import { sizeText } from '../../render/amounts.ts';
import { curlOf } from '../../request/curl.ts';
import type { HttpRequest } from '../../request/http.ts';
import { parseJson } from '../../request/json.ts';
import { isSecretName, maskOf, redactHeaders, redactUrl, redactValue } from '../../request/redact.ts';
import { asArguments, commandLine, type Word } from '../../settings/command-line.ts';
import { settingFields } from '../../settings/keys.ts';
import { argumentsOf, flagsOf, takesBody } from '../../tree/operation-flags.ts';
import { withoutCode } from './request-log.ts';

/** How the page shows requests (`Showing` of the page). `key` and the key of the viewer are masked in all strings. */
export const showingOf = (key: string) => ({
  headers: redactHeaders,
  url: (url: string) => redactUrl(withoutCode(url)),
  body: redactValue,
  size: sizeText,
  text: (text: string, own: string) => maskOf([key, own])(text),
  commands: (request: HttpRequest) => {
    const body = jsonIn(request);
    const { 'content-length': length = '0', 'transfer-encoding': isChunked } = request.headers;
    const call = { ...request, body, hasOtherBody: body === undefined && (length !== '0' || isChunked !== undefined) };
    const dtp = dtpLine(call);
    return [...(dtp === undefined ? [] : [{ name: 'dtp', line: dtp }]), { name: 'curl', line: curlLine(call) }];
  },
});

/** A request to repeat. `body` is undefined without a body, and if it is not JSON. */
interface RepeatedCall extends Omit<HttpRequest, 'body'> {
  readonly body: unknown;
  readonly hasOtherBody: boolean;
}

const jsonIn = ({ body }: HttpRequest): unknown =>
  body && 'byteLength' in body ? attempt(() => parseJson(Buffer.from(body).toString()), undefined) : undefined;

/** Headers that every client sets itself, or that belong to one connection. */
const ofClient =
  /^(host|connection|content-length|user-agent|accept|accept-encoding|transfer-encoding|traceparent|dtp-.*)$/;

function curlLine({ method, url, headers, body, hasOtherBody }: RepeatedCall): string {
  const kept = Object.entries(headers).filter(([name]) => !ofClient.test(name) && !isSecretName(name));
  const request = { method, url, headers: Object.fromEntries(kept) };
  const withBody = body === undefined ? request : { ...request, body: Buffer.from('') };
  const credential = ['x-api-key', 'authorization', 'x-workspace-identifier'].find((name) => name in headers);
  // This operation has no fields, so the body is written as it is.
  return curlOf(operationsFor('auth').getUser, { body }, withBody, {
    credential,
    bodyFile: hasOtherBody ? 'FILE' : undefined,
  });
}

/** The command of the operation, or `dtp api`. Undefined for content that only the original client can send again. */
function dtpLine({ method, url, body, hasOtherBody }: RepeatedCall): string | undefined {
  const { pathname, searchParams, search } = new URL(url);
  const given = segmentsOf(pathname);
  const template = findTemplate(given);
  const operation = template?.operations.get(method);
  const json = body === undefined ? [] : [['--body', exactJson(redactValue(body))] as const];
  if (!template || !operation) {
    if (hasOtherBody) return undefined;
    return commandLine(['api', ...(method === 'GET' ? [] : ['-X', method]), [pathname + search], ...json]);
  }
  const inPath = template.segments.flatMap((segment, at) =>
    isParameter(segment) ? [[segment.slice(1, -1), given[at]] as const] : [],
  );
  const values: Input = { ...Object.fromEntries(searchParams), ...Object.fromEntries(inPath) };
  return commandLine([
    ...operation.command,
    ...asArguments(argumentsOf(operation).map(([name]) => String(values[name]))),
    ...flagWords(operation, values),
    ...(takesBody(operation) ? json : []),
    // Without it, the command would add an id and times.
    ...(operation.flow === 'spool' ? ['--no-fill'] : []),
    ...asArguments(hasOtherBody ? ['FILE'] : []),
  ]);
}

/** The flags of the values that are not arguments. The two fields of a repository have one flag. */
function flagWords(operation: Operation, values: Input): readonly Word[] {
  const workspace = fieldsOf(values).workspace_id;
  const words = new Map<string, string>(workspace === undefined ? [] : [['-w', String(workspace)]]);
  for (const { field, member, label, name, kind } of flagsOf(operation)) {
    const value = values[field];
    if (value === undefined || member !== undefined || field in settingFields) continue;
    const text = isSecretName(field) ? '***' : String(value);
    if (kind === 'boolean') words.set(text === 'false' ? `--no-${name}` : `--${name}`, '');
    else words.set(label, [words.get(label), text].filter(Boolean).join('/'));
  }
  return [...words].map(
    ([label, value]): Word => (value === '' ? label : label.startsWith('-') ? [label, value] : [value]),
  );
}
