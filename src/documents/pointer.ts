/** Parses and writes references between files: a relative path (RFC 3986 §4.2) and a JSON pointer (RFC 6901 §6). */
import { attempt } from '../caught.ts';

/** Parses a reference. The path is empty within a file, and an anchor has no keys. Undefined for a URL and for ''. */
export function parseFileReference(text: string) {
  if (/^(\/\/|[a-z][a-z0-9+.-]*:|$)/i.test(text)) return undefined;
  const [, path = '', fragment = ''] = /^([^#?]*)[^#]*(?:#(.*))?$/s.exec(text) ?? [];
  return { path: decode(path), keys: keysOf(decode(fragment)) };
}

function keysOf(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a reference within the same document. */
export const pointerTo = (keys: readonly string[]): string =>
  `#${keys.map((key) => `/${encode(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

/** Percent-encodes a fragment (RFC 3986 §3.5). encodeURI throws for half a surrogate pair, and leaves `#` unchanged. */
const encode = (text: string): string =>
  encodeURI(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  ).replaceAll('#', '%23');

const decode = (text: string): string => attempt(() => decodeURIComponent(text), text);

/** Resolves a path relative to a file. The result may begin with `../`. Returns undefined for an absolute path. */
export function resolveRelativePath(from: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined;
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** Whether a document may refer to other files: it has a field for references whose value has no quoted `#`. */
export const mayRefer = (text: string): boolean =>
  /(?:\$(?:dynamicR|r)ef|\b(?:defaultMapping|externalValue|operationRef))["']?\s*:(?!\s*["']#)/.test(text) ||
  /\bmapping["']?\s*:|[^\s"'#]#\/components\/securitySchemes\/[^\s"']{1,300}["']?\s*:/.test(text);
