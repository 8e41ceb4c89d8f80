/** Every setting but the credential: where it may come from, and what it may be. */
import { formats } from '../render/formats.ts';
import type { Profile } from '../store/profiles.ts';
import { isProxyAddress } from '../transport/proxy.ts';
import { isDuration } from './duration.ts';
import type { Globals } from './global-flags.ts';

export interface Source {
  readonly flag?: keyof Globals;
  readonly env?: readonly string[];
  /** Whether a profile may hold it. */
  readonly profile?: keyof Profile;
  /**
   * Whether .dtp.json may hold it: never what weakens a connection or names a command. What decides where requests and
   * credentials go is used only if the user has `trusted` the file.
   */
  readonly file?: true | 'trusted';
  readonly default?: string;
  /** What a value must be, as the end of a sentence, and whether one is. */
  readonly must?: readonly [words: string, is: (value: string) => boolean];
}

const text = ['a text', (value: string) => value.trim() !== ''] as const;
const time = ['a time such as 90s or 5m', isDuration] as const;
const proxy = [
  'an http: or https: address, a name and a password in it percent-encoded',
  (value: string) => value === '' || isProxyAddress(value),
] as const;
/** A word is a part of a path segment: it cannot change where a request goes. */
const word = ['letters, digits, - or _', (value: string) => /^[\w-]+$/.test(value)] as const;
const names = [
  'names of members such as id,name,owner.name',
  (value: string) => value.split(',').every((name) => name.trim() !== ''),
] as const;
/** RFC 9110 §5.1, without the names that mean something else. */
const header = [
  'the name of a header of its own',
  (value: string) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(value) &&
    !/^(host|content-.*|transfer-encoding|connection|accept.*|te|trailer|upgrade|expect|user-agent|keep-alive)$/i.test(
      value,
    ),
] as const;
const oneOf = (...all: readonly string[]) =>
  [all.join(', '), (value: string) => all.includes(value)] as const;

/** http: and https: without user info, query and fragment, and `local:`, the embedded service. */
function isBase(value: string): boolean {
  if (value === 'local:' || value === 'local:/') return true;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

const base = [
  'an address such as https://api.example.com, without user name, query and fragment, or local:',
  isBase,
] as const;

export const sources = {
  base_url: {
    flag: 'baseUrl',
    env: ['DTP_BASE_URL'],
    profile: 'base_url',
    file: 'trusted',
    must: base,
  },
  workspace: { flag: 'workspace', env: ['DTP_WORKSPACE_ID'], profile: 'workspace', file: true, must: text },
  organization_slug: {
    flag: 'organizationSlug',
    env: ['DTP_ORGANIZATION_SLUG'],
    profile: 'organization_slug',
    file: true,
    must: text,
  },
  workspace_slug: {
    flag: 'workspaceSlug',
    env: ['DTP_WORKSPACE_SLUG'],
    profile: 'workspace_slug',
    file: true,
    must: text,
  },
  output: { flag: 'output', env: ['DTP_OUTPUT'], profile: 'output', file: true, must: oneOf(...formats) },
  fields: { flag: 'fields', file: true, must: names },
  error_format: {
    flag: 'errorFormat',
    env: ['DTP_ERROR_FORMAT'],
    default: 'auto',
    must: oneOf('auto', 'text', 'json'),
  },
  timeout: { flag: 'timeout', env: ['DTP_TIMEOUT'], profile: 'timeout', file: true, must: time },
  connect_timeout: {
    flag: 'connectTimeout',
    env: ['DTP_CONNECT_TIMEOUT'],
    default: '10s',
    must: time,
  },
  http_proxy: { flag: 'proxy', env: ['http_proxy', 'HTTP_PROXY'], must: proxy },
  https_proxy: { flag: 'proxy', env: ['https_proxy', 'HTTPS_PROXY'], must: proxy },
  no_proxy: { env: ['no_proxy', 'NO_PROXY'] },
  ca_cert: { flag: 'caCert', env: ['DTP_CA_CERT'], profile: 'ca_cert', file: 'trusted', must: text },
  allow_failure: {
    flag: 'allowFailure',
    env: ['DTP_ALLOW_FAILURE'],
    must: ['1 or 0', (value) => /^(1|0|true|false|yes|no)$/i.test(value)],
  },
  allow_http: { flag: 'allowHttp', profile: 'allow_http', must: oneOf('true', 'false') },
  scheme: {
    profile: 'scheme',
    default: 'api-key',
    must: oneOf('api-key', 'bearer', 'workspace-identifier'),
  },
  'words.codehost': { profile: 'words.codehost', file: 'trusted', must: word },
  'words.docsite': { profile: 'words.docsite', file: 'trusted', must: word },
  'header.api-key': { profile: 'header.api-key', default: 'x-api-key', must: header },
  'header.workspace-identifier': {
    profile: 'header.workspace-identifier',
    default: 'x-workspace-identifier',
    must: header,
  },
} as const satisfies Record<string, Source>;

export type SettingKey = keyof typeof sources;

/** The only values of a setting; none where others are right too. */
export function choicesOf(key: string): readonly string[] {
  const { must } = (sources as Readonly<Record<string, Source>>)[key] ?? {};
  return (must?.[0].split(', ') ?? []).filter((word) => must?.[1](word) === true && must[0].includes(', '));
}

/** What is wrong with a value, as the end of a sentence that begins with its name; undefined where it is right. */
export function faultOf(key: string, value: string): string | undefined {
  const { must } = (sources as Readonly<Record<string, Source>>)[key] ?? {};
  return must === undefined || must[1](value) ? undefined : `must be ${must[0]}`;
}
