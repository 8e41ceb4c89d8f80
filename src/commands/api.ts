/** `dtp api`: any path of the service, as an operation that is made up on the spot. */
import { entriesOf } from '../entries.ts';
import { DtpError } from '../errors.ts';
import { parseAssignment } from '../input/assignments.ts';
import type { Given } from '../input/read.ts';
import { baseAddress } from '../invocation/connect.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalGiven } from '../local/command.ts';
import type { apiFlags } from '../local/flags.ts';
import { operations } from '../operations/index.ts';
import type { Field, Operation } from '../operations/operation.ts';
import { findTemplate } from '../operations/paths.ts';
import type { Result } from '../output/result.ts';
import { isSecretName } from '../request/redact.ts';
import type { Globals } from '../settings/global-flags.ts';
import { kebab, settingFields } from '../tree/operation-flags.ts';
import { runAsked } from './operation/asked.ts';

type ApiFlags = LocalGiven<typeof apiFlags>['flags'];

export async function callPath(
  invocation: Invocation,
  { args: [path = ''], flags: given }: LocalGiven<typeof apiFlags>,
): Promise<Result> {
  const { globals, argv } = invocation;
  const { operation, flags, settings } = operationOf(pathIn(invocation, path), given);
  const hasForm = !hasQuery(operation.method);
  const { field, rawField, paginate: all, include } = given;
  const flow = { ...(hasForm && { field, rawField }), all, include };
  const typed: Given = { argv, args: [], flags: { ...flags, body: given.body }, flow };
  const from = { ...invocation, globals: { ...globals, ...unlike(globals, settings) } };
  const { result } = await runAsked(from, operation, typed);
  return result;
}

/** The settings that a path may name. */
const places = Object.keys(settingFields)
  .map((name) => `{${name}}`)
  .join(', ');

const hasQuery = (method: string) => method === 'GET' || method === 'HEAD';

interface Made {
  readonly operation: Operation;
  readonly flags: Given['flags'];
  /** What the query says of a setting. */
  readonly settings: Partial<Globals>;
}

/** Throws `usage` for what is no path, method or header. */
function operationOf(given: string, options: ApiFlags): Made {
  const { body, field = [], rawField = [], header = [], paginate } = options;
  const isWritten = body !== undefined || field.length + rawField.length > 0;
  const method = (options.method ?? (isWritten ? 'POST' : 'GET')).toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method)) throw new DtpError('usage', '-X must be a method, such as PATCH');
  if (paginate && method !== 'GET') throw new DtpError('usage', '--paginate is for a GET');

  const { path, pairs } = addressOf(given);
  const asked = hasQuery(method) ? [...pairs, ...[...field, ...rawField].map(pairOf)] : pairs;
  const input = named<Field>({ ...placesIn(path), body: { in: 'body', kind: 'json', help: '' } });
  if (paginate) input.next_page_token = { in: 'query', kind: 'string', help: '', flag: 'next_page_token' };
  const flags = named<readonly string[] | string>({});
  const settings: Record<string, string> = {};
  for (const [name, value] of asked) {
    const setting = settingFields[name];
    input[name] ??= { in: 'query', kind: 'string', help: '', ...(!setting && { flag: name, many: true }) };
    if (setting) settings[camel(setting)] = single(name, settings[camel(setting)], value);
    else if (!input[name]?.many) flags[name] = value;
    else flags[name] = [...listOf(flags[name]), value];
  }
  for (const [name, value] of header.map(headerOf)) {
    if (input[name]) throw new DtpError('usage', `-H ${name}: the query or the path has that name too`);
    input[name] = { in: 'header', kind: 'string', help: '', flag: name };
    flags[name] = value;
  }
  const operation: Operation = {
    id: 'api',
    command: ['api'],
    summary: `${method} ${path}`,
    // Any method and path may be asked for; the types know those of the document.
    method: method as Operation['method'],
    path: path as Operation['path'],
    input,
    ...(findTemplate(path.split('/'))?.operations.get(method)?.id === operations.getAccessToken.id && {
      auth: 'none' as const,
    }),
    ...(paginate ? { result: 'record', flow: 'pages' } : { result: 'bytes' }),
  };
  return { operation, flags, settings };
}

/** A record in which a name such as `constructor` is like any other. */
const named = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.assign(Object.create(null), all);

const listOf = (given: string | readonly string[] = []): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** Throws `usage` for a query that says two things of one setting. */
function single(name: string, before: string | undefined, value: string): string {
  if (before === undefined || before === value) return value;
  throw new DtpError('usage', `the query has two values of ${name}`);
}

/** Throws `usage` for a setting of which the query says something else than its flag. */
function unlike(globals: Globals, settings: Partial<Globals>): Partial<Globals> {
  for (const [name, value] of entriesOf(settings)) {
    const given = globals[name];
    if (given !== undefined && given !== value)
      throw new DtpError('usage', `--${kebab(name)} says "${given}", and the query says "${value}"`);
  }
  return settings;
}

/** A path with or without its slash, or as Git's shell on Windows rewrites it. */
function addressOf(given: string) {
  const path = given.replace(/^[A-Za-z]:[\\/].*?(?=[\\/]v\d+[\\/])/, '').replaceAll('\\', '/');
  const [, before = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { path: encoded(before.replace(/^\/*/, '/')), pairs: [...new URLSearchParams(query)] };
}

/** What may not stand in a path as it is; what is encoded already stays. Throws `usage` for half a character. */
function encoded(path: string): string {
  try {
    return path.replace(/[^\w\-.~!$&'()*+,;=:@/%{}]+/g, encodeURIComponent);
  } catch {
    throw new DtpError('usage', 'the path must be valid Unicode text');
  }
}

function placesIn(path: string): Record<string, Field> {
  const found = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const unknown = found.find((name) => !(name in settingFields));
  if (unknown !== undefined) throw new DtpError('usage', `{${unknown}} is not filled in; what is: ${places}`);
  return Object.fromEntries(
    found.map((name) => [name, { in: 'path', kind: 'string', required: true, help: '' }]),
  );
}

function pairOf(given: string): readonly [name: string, value: string] {
  const { steps, text } = parseAssignment(given, '-F');
  const name = steps.filter((step) => step !== '[]').join('.');
  return [name, text];
}

/** What the tool itself sends is not to be said twice; a credential has no place on a command line. */
function headerOf(given: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === '') throw new DtpError('usage', '-H must be "name: value"');
  const lower = name.toLowerCase();
  if (isSecretName(lower))
    throw new DtpError('usage', `-H ${lower}: a secret on the command line can be read by every process`, {
      hint: 'The configured credential is sent by itself: dtp auth login, or DTP_API_KEY.',
    });
  if (/^(host|content-length|transfer-encoding|connection|accept-encoding|user-agent)$/.test(lower))
    throw new DtpError('usage', `-H ${lower}: the tool sets it by itself`);
  return [lower, value];
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The path of an address of the configured service. Throws `usage` for any other host. */
function pathIn({ settings }: Invocation, given: string): string {
  if (given.trim() === '') throw new DtpError('usage', '<path> must not be empty: give one such as /v1/user');
  if (!/^[a-z][a-z0-9+.-]+:/i.test(given)) return given;
  const base = baseAddress(settings).value;
  if (given.startsWith(`${base}/`)) return given.slice(base.length);
  throw new DtpError('usage', `the address is not below ${base}, the configured service`, {
    hint: 'The credential goes nowhere else. Name another service with --base-url, and give the path alone.',
  });
}
