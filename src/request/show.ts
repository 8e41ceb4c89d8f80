/** Converts a request to the value that `--dry-run` prints, with secrets masked. */
import { type Input, isFile, type Operation } from '../operations/operation.ts';
import { jsonBody } from './build.ts';
import type { HttpRequest } from './http.ts';
import { redactHeaders, redactUrl, redactValue } from './redact.ts';

export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON body, or the parts of a form. Files are shown by name and size in bytes. */
  readonly body?: unknown;
}

/** Returns the request that would be sent. `credential` is the name of the credential header. */
export function showRequest(
  operation: Operation,
  input: Input,
  request: HttpRequest,
  credential: string | undefined,
): ShownRequest {
  const shown = {
    method: request.method,
    url: redactUrl(request.url),
    headers: redactHeaders(credential === undefined ? request.headers : { ...request.headers, [credential]: '' }, [
      credential ?? '',
    ]),
  };
  if (request.body === undefined) return shown;
  return {
    ...shown,
    body: 'open' in request.body ? formOf(operation, input) : redactValue(jsonBody(operation, input)),
  };
}

function formOf(operation: Operation, input: Input): unknown {
  const parts = Object.entries(operation.input).filter(
    ([name, field]) => field.in === 'part' && input[name] !== undefined,
  );
  return Object.fromEntries(
    parts.map(([name]) => {
      const value = input[name];
      return [name, isFile(value) ? { file: value.name, size: value.size } : redactValue(value)];
    }),
  );
}
