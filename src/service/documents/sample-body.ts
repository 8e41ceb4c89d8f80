/** Generates the sample body of an operation: JSON if it accepts that, or else a form, a file or a string. */

import { childOf, resolve } from '../../documents/operations.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { exampleIn } from './example.ts';
import { formPairs, type Pair, textOf } from './sample-parameters.ts';

/** A request body. `type` is its media type. */
export type SampleBody = { readonly type: string } & (
  | { readonly json: unknown }
  | { readonly form: readonly Pair[] }
  | { readonly parts: readonly Part[] }
  | { readonly text: string }
  /** A file name. */
  | { readonly file: string }
);

export interface Part {
  readonly name: string;
  readonly value: string;
  /** If true, the value is a file name. */
  readonly isFile: boolean;
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const FILE = 'FILE';

/** Media types, from the most to the least preferred. */
const PREFERRED = [/^application\/(.*\+)?json/, new RegExp(`^${FORM}`), new RegExp(`^${MULTIPART}`)];

const isBinary = (schema: JsonObject): boolean =>
  schema.format === 'binary' || schema.type === 'file' || typeof schema.contentMediaType === 'string';

export function bodyOf(
  document: JsonObject,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): SampleBody | undefined {
  const swaggerBody = swaggerBodyOf(document, operation, parameters);
  if (swaggerBody) return swaggerBody;
  const content = resolve(document, operation.requestBody).content;
  if (!isRecord(content)) return undefined;
  const types = Object.keys(content);
  const type = PREFERRED.map((wanted) => types.find((each) => wanted.test(each))).find(Boolean) ?? types[0];
  if (type === undefined) return undefined;
  const media = resolve(document, content[type]);
  return bodyIn(document, type, exampleIn(document, media), resolve(document, media.schema));
}

function bodyIn(document: JsonObject, type: string, example: unknown, schema: JsonObject): SampleBody {
  if (PREFERRED[0]?.test(type)) return { type, json: example };
  if (type.startsWith(FORM)) return { type, form: formPairs(example) };
  if (type.startsWith(MULTIPART)) return { type, parts: partsOf(document, example, schema) };
  // Without a useful schema, the body counts as bytes unless its type is textual.
  const isText = /^text\/|[/+](xml|yaml)/.test(type);
  if (isBinary(schema) || !isText) return { type, file: FILE };
  return { type, text: textOf(example) };
}

function partsOf(document: JsonObject, example: unknown, schema: JsonObject): readonly Part[] {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return formPairs(example).map(([name, value]) => {
    const property = resolve(document, childOf(properties, name));
    const isFile = isBinary(property) || isBinary(resolve(document, property.items));
    return { name, value: isFile ? FILE : value, isFile };
  });
}

/** The body in Swagger 2.0, which describes it with parameters. */
function swaggerBodyOf(
  document: JsonObject,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): SampleBody | undefined {
  const whole = parameters.find((each) => each.in === 'body');
  if (whole) return { type: 'application/json', json: exampleIn(document, whole) };
  const fields = parameters.filter((each) => each.in === 'formData');
  if (fields.length === 0) return undefined;
  const consumes = [operation.consumes, document.consumes].find(Array.isArray) ?? [];
  const type = fields.some(isBinary) || consumes.includes(MULTIPART) ? MULTIPART : FORM;
  const required = fields.filter((each) => each.required === true).map((each) => String(each.name));
  const properties = Object.fromEntries(fields.map((each) => [String(each.name), each]));
  const schema = { type: 'object', properties, required };
  return bodyIn(document, type, exampleIn(document, { schema }), schema);
}

export const BOUNDARY = 'snippet-boundary';

const contentsOf = (file: string): string => `CONTENTS OF ${file}`;

/** The body as it is sent. */
export function bodyText(body: SampleBody): string {
  if ('json' in body) return JSON.stringify(body.json);
  if ('form' in body)
    return new URLSearchParams(body.form.map(([name, value]): [string, string] => [name, value])).toString();
  if ('parts' in body) return `${body.parts.map(partText).join('')}--${BOUNDARY}--\r\n`;
  return 'file' in body ? contentsOf(body.file) : body.text;
}

function partText({ name, value, isFile }: Part): string {
  const quoted = name.replaceAll('"', '%22').replace(/[\r\n]/g, ' ');
  const [file, type, content] = isFile
    ? [`; filename="${value}"`, 'Content-Type: application/octet-stream\r\n', contentsOf(value)]
    : ['', '', value];
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n${type}\r\n${content}\r\n`;
}
