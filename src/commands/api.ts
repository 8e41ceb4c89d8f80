/** Implements `dtp api`, which sends a request to any path of the service. */
import { orThrow } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { parseAssignment } from '../input/assignments.ts';
import type { ParsedArguments } from '../input/read.ts';
import { baseUrlOf, wordsOf } from '../invocation/connect.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { entriesOf } from '../json-object.ts';
import type { apiFlags, LocalInput } from '../local/flags.ts';
import type { Field, Operation } from '../operations/operation.ts';
import { findTemplate, segmentsOf } from '../operations/paths.ts';
import type { Words } from '../operations/words.ts';
import type { Result } from '../output/result.ts';
import { isSecretName } from '../request/redact.ts';
import type { Globals } from '../settings/global-flags.ts';
import { flagKeyOf, placeholderList, settingFields } from '../settings/keys.ts';
import { kebab } from '../tree/vocabulary.ts';
import { runWithPrompts } from './operation/asked.ts';

type ApiFlags = LocalInput<typeof apiFlags>['flags'];

export async function callPath(
  invocation: Invocation,
  { args: [path = ''], flags: given }: LocalInput<typeof apiFlags>,
): Promise<Result> {
  const { globals, argv } = invocation;
  const words = wordsOf(invocation.settings);
  const { operation, flags, settings } = operationOf(pathUnderBase(invocation, path), given, words);
  const hasForm = !sendsFieldsAsQuery(operation.method);
  const { field, rawField, paginate: all, include } = given;
  const flow = { ...(hasForm && { field, rawField }), all, include };
  const typed: ParsedArguments = { argv, args: [], flags: { ...flags, body: given.body }, flow };
  const from = { ...invocation, globals: { ...globals, ...checkFlags(globals, settings) } };
  const { result } = await runWithPrompts(from, operation, typed);
  return result;
}

const sendsFieldsAsQuery = (method: string) => method === 'GET' || method === 'HEAD';

/** Builds an operation from the path and the flags. Throws `usage` if the path or a flag is invalid. */
function operationOf(given: string, options: ApiFlags, words: Words) {
  const { body, field = [], rawField = [], header = [], paginate } = options;
  const isWritten = body !== undefined || field.length + rawField.length > 0;
  const method = (options.method ?? (isWritten ? 'POST' : 'GET')).toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method)) throw new DtpError('usage', '-X must be an HTTP method, such as PATCH');
  if (paginate && method !== 'GET') throw new DtpError('usage', '--paginate requires a GET request');

  const { path, query } = parsePath(given);
  const pairs = sendsFieldsAsQuery(method) ? [...field, ...rawField].map(parsePair) : [];
  const input = recordOf<Field>({ ...placeholderFields(path, query), body: { in: 'body', kind: 'json', help: '' } });
  if (paginate) input.next_page_token = { in: 'query', kind: 'string', help: '', flag: 'next_page_token' };
  const flags = recordOf<readonly string[] | string>({});
  /** The settings from the query string. The parameter `workspace_id`, for example, sets the workspace. */
  const settings: Record<string, string> = {};
  const choose = (name: string, setting: string, value: string) => {
    const key = flagKeyOf(setting);
    settings[key] = checkedValue(name, settings[key], value);
  };
  for (const [name, value] of new URLSearchParams(query)) {
    const setting = settingFields[name];
    if (setting && value !== `{${name}}`) choose(name, setting, value);
    if (paginate && name === 'next_page_token') flags[name] = value;
  }
  for (const [name, value] of pairs) {
    const setting = settingFields[name];
    input[name] ??= { in: 'query', kind: 'string', help: '', ...(!setting && { flag: name, many: true }) };
    if (setting) choose(name, setting, value);
    else if (!input[name]?.many) flags[name] = value;
    else flags[name] = [flags[name] ?? [], value].flat();
  }
  for (const [name, value] of header.map(parseHeader)) {
    if (input[name]) throw new DtpError('usage', `-H ${name}: the path or the query string already uses this name`);
    input[name] = { in: 'header', kind: 'string', help: '', flag: name };
    flags[name] = value;
  }
  const known = knownOperation(path, method, words);
  const operation: Operation = {
    id: 'api',
    command: ['api'],
    summary: `${method} ${path}`,
    // The types list only the documented methods and paths, but the user may pass others.
    method: method as Operation['method'],
    path: path as Operation['path'],
    // The next page has another token.
    query: paginate ? query.replace(/(?<=^|&)next_page_token(=[^&]*)?(&|$)/g, '') : query,
    input,
    ...(known?.method === method && known.retry && { retry: known.retry }),
    ...(known?.method === method && known.auth && { auth: known.auth }),
    ...(known?.workspace && { workspace: known.workspace }),
    ...(paginate ? { result: 'record', flow: 'pages' } : { result: 'bytes' }),
  };
  return { operation, flags, settings };
}

/** Returns the documented operation with this path. If none has this method, returns one with another method. */
function knownOperation(path: string, method: string, words: Words): Operation | undefined {
  const { operations } = findTemplate(segmentsOf(path), [words]) ?? {};
  return operations?.get(method) ?? operations?.values().next().value;
}

/** Returns a copy of a record without a prototype, so that a name such as `constructor` is an ordinary key. */
const recordOf = <T>(all: Readonly<Record<string, T>>): Record<string, T> => Object.assign(Object.create(null), all);

/** Returns the value. Throws `usage` if the query string has two different values for one setting. */
function checkedValue(name: string, before: string | undefined, value: string): string {
  if (before === undefined || before === value) return value;
  throw new DtpError('usage', `the query string has two different values for ${name}`);
}

/** Returns the settings. Throws `usage` if the query string and a flag have different values for a setting. */
function checkFlags(globals: Globals, settings: Partial<Globals>): Partial<Globals> {
  for (const [name, value] of entriesOf(settings)) {
    const given = globals[name];
    if (given !== undefined && given !== value)
      throw new DtpError('usage', `--${kebab(name)} is "${given}", but the query string says "${value}"`);
  }
  return settings;
}

/** Splits a path and its query. Git Bash rewrites `/v1/user` to `C:/Program Files/Git/v1/user`, which is undone. */
function parsePath(given: string) {
  const [, before = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(given) ?? [];
  const path = before.replace(/^[A-Za-z]:[\\/].*?(?=[\\/]v\d+[\\/])/, '').replaceAll('\\', '/');
  return {
    path: encoded(path.replace(/^\/*/, '/'), /[^\w\-.~!$&'()*+,;=:@/%{}]+/g),
    query: encoded(query, /[^\w\-.~!$&'()*+,;=:@/?%[\]{}]+|%(?![\da-f]{2})/gi).replace(/\{[a-z_]+\}|[{}]/g, (found) =>
      found.length > 1 ? found : encodeURIComponent(found),
    ),
  };
}

/** Percent-encodes the invalid parts of a path or a query. All others are sent as typed. Throws `usage` for a lone surrogate. */
function encoded(text: string, invalid: RegExp): string {
  const wrong = () => new DtpError('usage', 'the path must be valid Unicode text');
  return orThrow(() => text.replace(invalid, encodeURIComponent), wrong);
}

function placeholderFields(path: string, query: string): Record<string, Field> {
  const found = [...`${path}?${query}`.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const unknown = found.find((name) => !(name in settingFields));
  if (unknown !== undefined)
    throw new DtpError('usage', `unknown placeholder {${unknown}}. Available: ${placeholderList}`, {
      hint: 'To send braces, write %7B and %7D.',
    });
  return Object.fromEntries(found.map((name) => [name, { in: 'path', kind: 'string', required: true, help: '' }]));
}

function parsePair(given: string): readonly [name: string, value: string] {
  const { steps, text } = parseAssignment(given, '-F');
  const name = steps.filter((step) => step !== '[]').join('.');
  return [name, text];
}

/** Parses `name: value`. Throws `usage` for headers that dtp sets, and for secrets, which other processes can read. */
function parseHeader(given: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === '') throw new DtpError('usage', '-H must be "name: value"');
  const lower = name.toLowerCase();
  if (isSecretName(lower))
    throw new DtpError('usage', `-H ${lower}: a secret on the command line is visible to other processes`, {
      hint: 'The configured credential is sent automatically. Set it with dtp auth login or DTP_API_KEY.',
    });
  if (/^(host|content-length|transfer-encoding|connection|accept-encoding|user-agent)$/.test(lower))
    throw new DtpError('usage', `-H ${lower}: dtp sets this header itself`);
  return [lower, value];
}

/** Returns the path in a URL of the service, or a path unchanged. Throws `usage` for the URL of another service. */
function pathUnderBase({ settings }: Invocation, given: string): string {
  if (given.trim() === '') throw new DtpError('usage', '<path> must not be empty; pass one such as /v1/user');
  if (!/^[a-z][a-z0-9+.-]+:/i.test(given)) return given;
  const base = baseUrlOf(settings).value;
  if (given.startsWith(`${base}/`)) return given.slice(base.length);
  throw new DtpError('usage', `the URL does not start with ${base}, the configured base URL`, {
    hint: 'The credential is only sent to that service. For another service, pass --base-url and only the path.',
  });
}
