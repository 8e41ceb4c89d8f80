/** The names of a bundle's files: which are refused, and which two may not stand beside each other. */
import { limits } from './registry.ts';

/** Why a name is none that every machine can keep inside a folder; undefined for a good one. Parts are parted by `/`. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'it is absolute';
  if (name.includes('\\')) return 'it holds a backslash';
  if ([...name].some((char) => char < ' ' || (char >= '\x7f' && char <= '\x9f')))
    return 'it holds control characters';
  if (/[\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'it holds characters that are not seen';
  if (name.includes('\ufffd')) return 'it is not UTF-8';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'it has empty or dotted parts';
  if (parts.length > limits.depth) return 'it is too deep';
  // What another system takes for something else, or a tool for its own.
  if (parts.some((part) => /[. ]$/.test(part) || devices.test(part))) return 'no Windows machine can keep it';
  if (parts.some((part) => part.toLowerCase() === '.git')) return "it is inside of a repository's own folder";
  if (parts.some((part) => Buffer.byteLength(part) > 255) || name.length > 1024) return 'it is too long';
  return undefined;
}

const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Takes names one by one; gives why one cannot stand beside those before. Case is no difference: not on every disk. */
export function openNames(): (name: string, kind: 'file' | 'folder') => string | undefined {
  const files = new Set<string>();
  const folders = new Map<string, string>();
  return (name, kind) => {
    const parts = name.split('/');
    const above = kind === 'file' ? parts.slice(0, -1) : parts;
    for (let count = 1; count <= above.length; count++) {
      const folder = parts.slice(0, count).join('/');
      const key = keyOf(folder);
      if (files.has(key)) return `${folder} is a file and a folder`;
      const before = folders.get(key);
      if (before !== undefined && before !== folder) return `${before} and ${folder} differ in case alone`;
      folders.set(key, folder);
      if (folders.size > limits.folders) return `there are more than ${limits.folders} folders`;
    }
    if (kind === 'folder') return undefined;
    const key = keyOf(name);
    if (files.has(key)) return 'it is there twice';
    if (folders.has(key)) return 'it is a file and a folder';
    files.add(key);
    return undefined;
  };
}

/** Upper case first: it makes one of `ß` and `ss`. */
const keyOf = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase();
