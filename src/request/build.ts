/** Builds the HTTP request of an operation from its input, as JSON or as a form. */
import { exactJson, fieldsOf } from '../json-object.ts';
import { type Field, type FileValue, type Input, isFile, type Operation } from '../operations/operation.ts';
import { findTemplate, isParameter } from '../operations/paths.ts';
import { replaceWords, type Words } from '../operations/words.ts';
import { type Body, type HttpRequest, headerValue } from './http.ts';
import { pathOf, queryOf, urlOf } from './url.ts';

/** The service to send to. `base` has no trailing slash. `words` are the words that this deployment uses in paths. */
export interface ServiceTarget {
  readonly base: string;
  readonly words: Words;
}

/**
 * Builds the request of an operation, without a credential. `boundary` creates the separator of the parts of a form.
 * Throws `usage` for a value that a path, a query or a header cannot contain.
 */
export function buildRequest(
  operation: Operation,
  input: Input,
  target: ServiceTarget,
  boundary: () => string = () => '',
): HttpRequest {
  const fields = Object.entries(operation.input).filter(([name]) => input[name] !== undefined);
  const at = (place: Field['in']) => fields.filter(([, field]) => field.in === place);
  const wire = wireOf(operation, target.words);

  const path = pathOf(wire.path, input);
  const pairs = at('query').flatMap(([name, field]) =>
    queryValues(field, input[name]).map((value) => [wire.nameOf(name), value] as const),
  );
  const given = at('header').map(([name]) => [name.toLowerCase(), headerValue(name, String(input[name]))] as const);
  const headers = { accept: accepts[operation.result] ?? 'application/json', ...Object.fromEntries(given) };

  const typed = pathOf((operation.query ?? '').replace(/(?<=^|&)[^&=]+/g, wire.nameOf), input);
  const query = [typed, queryOf(pairs).slice(1)].filter(Boolean).join('&');
  const request = { method: operation.method, url: urlOf(target.base, path, query && `?${query}`) };
  const body = bodyOf(operation, input, boundary);
  if (!body) return { ...request, headers };
  // Headers that the user gives override the content type.
  return { ...request, headers: { 'content-type': body.type, ...headers }, body: body.body };
}

const accepts: Partial<Record<Operation['result'], string>> = { text: 'text/plain', bytes: '*/*' };

/**
 * Returns the path template and the query names in the words of a deployment. For `dtp api`, the user gives the path.
 * Only segments that match the fixed words of a known operation are translated, never parameter values.
 */
function wireOf(operation: Operation, words: Words) {
  const segments = operation.path.split('/');
  const isKnown = operation.id !== 'api';
  const template = isKnown ? undefined : findTemplate(segments);
  const pattern = isKnown ? segments : template?.segments;
  const known = isKnown ? operation : template?.operations.get(operation.method);
  return {
    path: segments
      .map((segment, at) => (isParameter(pattern?.[at] ?? '{') ? segment : replaceWords(segment, words)))
      .join('/'),
    nameOf: (name: string) => (known?.input[name]?.in === 'query' ? replaceWords(name, words) : name),
  };
}

/** Returns the values of a query parameter. A list becomes repeated parameters, but JSON is always one value. */
function queryValues(field: Field, value: unknown): readonly string[] {
  return field.kind === 'json' ? [exactJson(value)] : valuesOf(field, value).map(String);
}

/** Returns the elements of a list field, or the single value of another field. */
const valuesOf = (field: Field, value: unknown): readonly unknown[] =>
  field.many && Array.isArray(value) ? value : [value];

function bodyOf(operation: Operation, input: Input, makeBoundary: () => string) {
  const fields = Object.entries(operation.input);
  if (fields.some(([, field]) => field.in === 'part')) {
    const parts = fields.flatMap(([name, one]) => (one.in === 'part' ? formFieldsOf(name, one, input[name]) : []));
    const boundary = makeBoundary();
    return { type: `multipart/form-data; boundary=${boundary}`, body: multipart(parts, boundary) };
  }
  const json = jsonBody(operation, input);
  return json === undefined ? undefined : { type: 'application/json', body: Buffer.from(exactJson(json)) };
}

/** Returns the JSON body: `input.body`, in which fields of the input replace those it has. Undefined without a body. */
export function jsonBody(operation: Operation, input: Input): unknown {
  const members = Object.entries(operation.input).filter(([, field]) => field.in === 'member');
  if (members.length === 0) return input.body;
  const given = members.filter(([name]) => input[name] !== undefined).map(([name]) => [name, input[name]]);
  return { ...fieldsOf(input.body), ...Object.fromEntries(given) };
}

/** Returns the parts of a form for a field. A list becomes repeated parts with the same name. */
export function formFieldsOf(name: string, field: Field, value: unknown): readonly FormField[] {
  if (value === undefined) return [];
  if (field.kind === 'file' && isFile(value)) return [{ name, file: value }];
  if (field.kind === 'json') return [{ name, text: JSON.stringify(value) }];
  return valuesOf(field, value).map((one) => ({ name, text: String(one) }));
}

export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: FileValue };

/** Returns the form as a body of known size. Each `open` reads the files again. */
export function multipart(parts: readonly FormField[], boundary: string): Body {
  const pieces: (Uint8Array | FileValue)[] = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    'file' in part ? part.file : Buffer.from(part.text),
    Buffer.from('\r\n'),
  ]);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    size: pieces.reduce((sum, piece) => sum + ('open' in piece ? piece.size : piece.byteLength), 0),
    open: async function* () {
      for (const piece of pieces) {
        if ('open' in piece) yield* piece.open();
        else yield piece;
      }
    },
  };
}

function headOf(part: FormField): string {
  const name = `content-disposition: form-data; name="${quoted(part.name)}"`;
  if ('text' in part) return name;
  return `${name}; filename="${quoted(part.file.name)}"\r\ncontent-type: application/octet-stream`;
}

/** Escapes a name as browsers do (HTML standard), so that a quote or a line break cannot end the name. */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
