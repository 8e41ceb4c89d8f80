/** The request that a code sample must send, computed from the document without the generator. */
import { exampleIn, exampleOf } from '../../src/service/documents/example.ts';

/** Any part of a document. */
type Node = ReturnType<typeof JSON.parse>;

export type ExpectedBody =
  | { readonly json: unknown }
  | { readonly pairs: readonly (readonly [string, string])[] }
  | { readonly parts: readonly (readonly [name: string, value: string | Uint8Array])[] }
  | { readonly bytes: Uint8Array };

export interface ExpectedRequest {
  readonly method: string;
  /** With its query, as it is on the wire. */
  readonly path: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ExpectedBody;
}

/** The content of the file that the samples read. */
export const fileContent = Buffer.from([0, 1, 2, 13, 10, 13, 10, 45, 45, 255, 254, 0xc3, 0x28, 10]);

const follow = (document: Node, node: Node | undefined): Node =>
  node?.$ref === undefined
    ? (node ?? {})
    : follow(
        document,
        node.$ref
          .slice(2)
          .split('/')
          .reduce(
            (at: Node, key: string) => at[decodeURIComponent(key).replace(/~1/g, '/').replace(/~0/g, '~')],
            document,
          ),
      );

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** `pull_number` is PULL_NUMBER, and `petId` is PET_ID. */
const capitals = (name: string) =>
  [...name]
    .map((letter, at) => (/[A-Z]/.test(letter) && /[a-z]/.test(name[at - 1] ?? '') ? '_' : '') + letter)
    .join('')
    .toUpperCase();

const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27');

const pathValue = (document: Node, { name, example, schema }: Node) =>
  text(example ?? follow(document, schema).example ?? capitals(name));

export interface Described {
  readonly document: Node;
  readonly path: string;
  readonly method: string;
}

/** The parameters that a sample sends: all of the path, and the required ones. */
export function sentParameters({ document, path, method }: Described): readonly Node[] {
  const item = document.paths[path];
  const own: Node[] = (item[method].parameters ?? []).map((one: Node) => follow(document, one));
  const shared: Node[] = (item.parameters ?? []).map((one: Node) => follow(document, one));
  const kept = shared.filter((one) => !own.some((other) => other.name === one.name && other.in === one.in));
  return [...kept, ...own].filter((one) => one.in === 'path' || one.required);
}

/** For operations whose parameters have the usual styles, and whose body is JSON, text or a file. */
export function expectedRequest(described: Described): ExpectedRequest {
  const { document, path, method } = described;
  const parameters = sentParameters(described);
  const unusual = parameters.find((one) => one.style || !['path', 'query'].includes(one.in));
  if (unusual) throw new Error(`${path} has the parameter ${unusual.name}`);
  let address = path;
  for (const one of parameters)
    if (one.in === 'path') address = address.replace(`{${one.name}}`, encoded(pathValue(document, one)));
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap((one) => [exampleIn(document, one)].flat().map((value) => `${one.name}=${encoded(text(value))}`));
  const { content } = follow(document, document.paths[path][method].requestBody);
  const types = Object.keys(content ?? {});
  const type = types.find((one) => one.includes('json')) ?? types[0];
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${address}?${query.join('&')}` : address,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(type !== undefined && { body: expectedBody(type, exampleIn(document, content[type])) }),
  };
}

function expectedBody(type: string, value: unknown): ExpectedBody {
  if (type.includes('json')) return { json: value };
  if (type.startsWith('text/')) return { bytes: Buffer.from(text(value)) };
  return { bytes: fileContent };
}

const bodyArgument = (body: ExpectedBody): unknown => {
  if (!('bytes' in body)) throw new Error('GitHub has no forms');
  return body.bytes === fileContent ? { file: fileContent.length } : Buffer.from(body.bytes).toString();
};

/** The argument of an SDK's method: parameters and fields of the body next to each other. */
export function expectedArguments(described: Described): Node {
  const { document, path, method } = described;
  const values = sentParameters(described).map((one) => {
    if (one.in !== 'path') return [one.name, exampleIn(document, one)];
    const { type = 'string', example } = follow(document, one.schema);
    const without = type === 'string' ? capitals(one.name) : exampleOf(document, one.schema);
    return [one.name, one.example ?? example ?? without];
  });
  const { body } = expectedRequest({ document, path, method });
  if (!body) return Object.fromEntries(values);
  const isObject = 'json' in body && typeof body.json === 'object' && body.json && !Array.isArray(body.json);
  const whole = 'json' in body ? body.json : bodyArgument(body);
  const fields: Node = isObject ? (body as Node).json : { body: whole };
  const names = values.map(([name]) => name);
  const nested = names.includes('body') ? { request_body: fields } : { body: fields };
  return {
    ...Object.fromEntries(values),
    ...(Object.keys(fields).some((name) => names.includes(name)) ? nested : fields),
  };
}
