/** Writes a call of an SDK method, in the languages that have an SDK: TypeScript and Python. */
import { resolve } from '../../documents/operations.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { exampleOf } from './example.ts';
import { nameWordsOf } from './naming.ts';
import type { SampleBody, SamplePart } from './sample-body.ts';
import { placeholder, type SampleInput, type SampleParameter } from './sample-call.ts';
import { writeValue } from './sample-text.ts';
import {
  camel,
  classOf,
  clientVariableOf,
  type NameStyle,
  nameIn,
  packageOf,
  type SdkMethod,
  type SdkNames,
  snake,
} from './sdk-names.ts';
import * as python from './write-python.ts';
import * as typescript from './write-typescript.ts';
import { joinLines } from './writer.ts';

export interface SdkCall {
  readonly names: SdkNames;
  readonly method: SdkMethod;
  readonly document: JsonObject;
  readonly input: SampleInput;
}

interface Argument {
  readonly name: string;
  readonly value: unknown;
  /** The name of a file that is sent instead of a value. */
  readonly file?: string;
}

/** Returns the value of an argument. A path parameter without an example gets a value of the type in its schema. */
function argumentValue(document: JsonObject, { place, name, value, parameter }: SampleParameter): unknown {
  if (place !== 'path' || value !== placeholder(name)) return value;
  const schema = resolve(document, parameter.schema ?? parameter);
  return schema.type === 'string' || schema.type === undefined ? value : exampleOf(document, schema);
}

/** Returns the fields of a multipart form as arguments. A repeated field becomes a list. */
function partArguments(parts: readonly SamplePart[]): readonly Argument[] {
  return [...new Set(parts.map(({ name }) => name))].map((name) => {
    const all = parts.filter((part) => part.name === name);
    const file = all.find(({ isFile }) => isFile);
    if (file) return { name, value: null, file: file.value };
    return { name, value: all.length > 1 ? all.map(({ value }) => value) : all[0]?.value };
  });
}

function bodyArguments(body: SampleBody): readonly Argument[] {
  if ('parts' in body) return partArguments(body.parts);
  if ('file' in body) return [{ name: 'body', value: null, file: body.file }];
  if (!('json' in body || 'fields' in body)) return [{ name: 'body', value: body.text }];
  const value = 'json' in body ? body.json : body.fields;
  if (!isRecord(value)) return [{ name: 'body', value }];
  return Object.entries(value).map(([name, item]) => ({ name, value: item }));
}

/** Returns the parameters and the fields of the body as arguments. If names clash, the body is one argument. */
function argumentsOf({ document, input }: SdkCall): readonly Argument[] {
  const parameters = input.parameters.map((each) => ({ name: each.name, value: argumentValue(document, each) }));
  const body = input.body ? bodyArguments(input.body) : [];
  const names = new Set(parameters.map(({ name }) => name));
  if (!body.some(({ name }) => names.has(name))) return [...parameters, ...body];
  const whole = Object.fromEntries(body.map(({ name, value }) => [name, value]));
  return [...parameters, { name: names.has('body') ? 'request_body' : 'body', value: whole }];
}

/** Returns the client's options, each with the environment variable that holds its value. */
function optionsOf({ input }: SdkCall, style: NameStyle): readonly (readonly [string, string])[] {
  const all = input.credentials.flatMap((each) =>
    'basic' in each
      ? Object.entries({ username: each.basic[0], password: each.basic[1] })
      : [[nameIn(style, nameWordsOf(each.scheme), 'security'), each.variable] as const],
  );
  return [...new Map(all)];
}

function typescriptSdk(call: SdkCall): string {
  const { valueSyntax: values, quote } = typescript;
  const name = classOf(call.names);
  const client = clientVariableOf(camel, name);
  const all = argumentsOf(call);
  const fields = all.map(
    ({ name, value, file }) =>
      `  ${values.key(name)}: ${file === undefined ? writeValue(value, values, '  ') : `await openAsBlob(${quote(file)})`},`,
  );
  const options = optionsOf(call, camel).map(([key, variable]) => `  ${key}: process.env.${variable} ?? "",`);
  const { resource, method } = call.method;
  const path = `${client}.${camel.join(resource)}.${camel.join(method)}`;
  return joinLines(
    all.some(({ file }) => file !== undefined) && 'import { openAsBlob } from "node:fs";',
    `import { ${name} } from ${quote(packageOf(call.names))};`,
    '',
    options.length > 0 ? [`const ${client} = new ${name}({`, ...options, '});'] : `const ${client} = new ${name}();`,
    '',
    fields.length > 0 ? [`const result = await ${path}({`, ...fields, '});'] : `const result = await ${path}();`,
    'console.log(result);',
  );
}

/** Returns the Python module of a package. For example, `acme-sdk` and `@acme/sdk` are imported as `acme_sdk`. */
const moduleOf = (names: SdkNames): string =>
  packageOf(names)
    .split('.')
    .map((part) => nameIn(snake, nameWordsOf(part), 'sdk'))
    .join('.');

/** Returns a keyword for each argument. A name that is already taken gets a number. */
function pythonNames(all: readonly Argument[]): readonly string[] {
  const taken = new Set<string>();
  return all.map(({ name }) => {
    const words = nameWordsOf(name);
    let free = nameIn(snake, words, 'value');
    for (let number = 2; taken.has(free); number++) free = nameIn(snake, [...words, String(number)], 'value');
    taken.add(free);
    return free;
  });
}

function pythonSdk(call: SdkCall): string {
  const { valueSyntax: values, environment, openFile } = python;
  const name = classOf(call.names);
  const client = clientVariableOf(snake, name);
  const all = argumentsOf(call);
  const names = pythonNames(all);
  const fields = all.map(
    ({ value, file }, index) =>
      `    ${names[index]}=${file === undefined ? writeValue(value, values, '    ') : openFile(file)},`,
  );
  const options = optionsOf(call, snake).map(([key, variable]) => `    ${key}=${environment(variable)},`);
  const { resource, method } = call.method;
  const path = `${client}.${nameIn(snake, resource, 'api')}.${nameIn(snake, method, 'call')}`;
  return joinLines(
    options.length > 0 && ['import os', ''],
    `from ${moduleOf(call.names)} import ${name}`,
    '',
    options.length > 0 ? [`${client} = ${name}(`, ...options, ')'] : `${client} = ${name}()`,
    '',
    fields.length > 0 ? [`result = ${path}(`, ...fields, ')'] : `result = ${path}()`,
    'print(result)',
  );
}

export const sdkWriters: ReadonlyMap<string, (call: SdkCall) => string> = new Map([
  ['typescript', typescriptSdk],
  ['python', pythonSdk],
]);
