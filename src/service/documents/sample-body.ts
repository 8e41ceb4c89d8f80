/** Generates the sample body of an operation: JSON if the operation accepts it, or else a form, a file or a string. */
import { childOf, resolve } from '../../documents/operations.ts';
import { fieldsOf, isRecord, type JsonObject } from '../http/fields.ts';
import type { DescribedOperation } from './document.ts';
import { exampleIn } from './example.ts';
import { formPairs, type Pair, parameterText } from './sample-parameters.ts';
import { joinStrings, plainValue } from './sample-text.ts';

/** A request body. `type` is its media type. */
export type SampleBody = { readonly type: string } & (
  | { readonly json: unknown }
  /** A form: the fields as a JSON value, the pairs that are sent, and their text. */
  | { readonly fields: unknown; readonly form: readonly Pair[]; readonly text: string }
  | { readonly parts: readonly SamplePart[] }
  | { readonly text: string }
  /** A file name. */
  | { readonly file: string }
);

export interface SamplePart {
  readonly name: string;
  readonly value: string;
  /** If true, the value is a file name. */
  readonly isFile: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const FILE = 'FILE';

const PREFERRED = [/^application\/(.*\+)?json/, new RegExp(`^${FORM}`), new RegExp(`^${MULTIPART}`)];

const isBinary = (schema: JsonObject): boolean =>
  schema.format === 'binary' || schema.type === 'file' || typeof schema.contentMediaType === 'string';

/** Clients send no body with HEAD and TRACE requests, and no multipart form with GET requests. */
const isSendable = (method: string, body: SampleBody): boolean =>
  !(method === 'head' || method === 'trace' || (method === 'get' && 'parts' in body));

export function sampleBodyOf(
  document: JsonObject,
  { method, operation }: Pick<DescribedOperation, 'method' | 'operation'>,
  parameters: readonly JsonObject[],
): SampleBody | undefined {
  const body = describedBody(document, operation, parameters);
  return body && isSendable(method, body) ? body : undefined;
}

function describedBody(document: JsonObject, operation: JsonObject, parameters: readonly JsonObject[]) {
  const swaggerBody = swaggerBodyOf(document, operation, parameters);
  if (swaggerBody) return swaggerBody;
  const content = resolve(document, operation.requestBody).content;
  if (!isRecord(content)) return undefined;
  const types = Object.keys(content);
  const type = PREFERRED.map((wanted) => types.find((each) => wanted.test(each))).find(Boolean) ?? types[0];
  if (type === undefined) return undefined;
  const media = resolve(document, content[type]);
  return bodyIn(document, type, media);
}

function bodyIn(document: JsonObject, type: string, media: JsonObject): SampleBody {
  const example = exampleIn(document, media);
  const schema = resolve(document, media.schema);
  if (PREFERRED[0]?.test(type)) return { type, json: plainValue(example) };
  if (type.startsWith(FORM)) {
    const form = formPairs(example, fieldsOf(media.encoding));
    const text = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString();
    return { type, fields: example, form, text };
  }
  if (type.startsWith(MULTIPART)) return { type, parts: partsOf(document, example, schema) };
  // The schema often does not describe the body, so the body counts as bytes unless its media type is textual.
  const isText = /^text\/|[/+](xml|yaml)/.test(type);
  if (isBinary(schema) || !isText) return { type, file: FILE };
  return { type, text: parameterText(example) };
}

function partsOf(document: JsonObject, example: unknown, schema: JsonObject): readonly SamplePart[] {
  const properties = fieldsOf(schema.properties);
  return formPairs(example).map(([name, value]) => {
    const property = resolve(document, childOf(properties, name));
    const isFile = isBinary(property) || isBinary(resolve(document, property.items));
    return { name, value: isFile ? FILE : value, isFile };
  });
}

/** Generates the body for Swagger 2.0, which describes it with parameters. */
function swaggerBodyOf(document: JsonObject, operation: JsonObject, parameters: readonly JsonObject[]) {
  const whole = parameters.find((each) => each.in === 'body');
  if (whole) return { type: 'application/json', json: plainValue(exampleIn(document, whole)) };
  const fields = parameters.filter((each) => each.in === 'formData');
  if (fields.length === 0) return undefined;
  const consumes = [operation.consumes, document.consumes].find(Array.isArray) ?? [];
  const type = fields.some(isBinary) || consumes.includes(MULTIPART) ? MULTIPART : FORM;
  const required = fields.filter((each) => each.required === true).map((each) => String(each.name));
  const properties = Object.fromEntries(fields.map((each) => [String(each.name), each]));
  const schema = { type: 'object', properties, required };
  return bodyIn(document, type, { schema });
}

export const BOUNDARY = 'snippet-boundary';

/** A part of a multipart body as it is sent: a string, or the content of a file. */
export type Segment = string | { readonly file: string };

/** Writes a multipart body, for languages whose usual client cannot write one itself. */
export function bodySegmentsOf(parts: readonly SamplePart[]): readonly Segment[] {
  const segments = parts.flatMap(({ name, value, isFile }): readonly Segment[] => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${formName(name)}"`;
    return isFile
      ? [`${head}; filename="${value}"\r\nContent-Type: application/octet-stream\r\n\r\n`, { file: value }, '\r\n']
      : [`${head}\r\n\r\n${value}\r\n`];
  });
  return joinStrings([...segments, `--${BOUNDARY}--\r\n`]);
}

/** Escapes the name of a form field like browsers do. */
const formName = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
