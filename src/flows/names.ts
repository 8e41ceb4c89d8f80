/** Decides which file names a bundle may contain, and which names conflict with each other. */
import { limits } from './registry.ts';

/** Returns why a name is not allowed, for example because Windows rejects it, or undefined for a valid name. */
export function faultOfFileName(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'it is absolute';
  if (name.includes('\\')) return 'it contains a backslash';
  if ([...name].some((char) => char < ' ' || (char >= '\x7f' && char <= '\x9f')))
    return 'it contains control characters';
  if (/[\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'it contains invisible characters';
  if (name.includes('\ufffd')) return 'it is not valid UTF-8';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'it contains an empty, "." or ".." part';
  if (parts.length > limits.depth) return 'it is nested too deeply';
  // Windows reserves device names, and removes a dot or a space at the end of a name.
  if (parts.some((part) => /[. ]$/.test(part) || devices.test(part))) return 'Windows does not allow it';
  if (parts.some((part) => keyOf(part) === '.git')) return 'it is inside a .git folder';
  // It would decide where later commands in the folder send their requests.
  if (parts.some((part) => keyOf(part) === '.dtp.json')) return 'it has the name of the settings of dtp';
  if (parts.some((part) => Buffer.byteLength(part) > 255) || name.length > 1024) return 'it is too long';
  return undefined;
}

/** Returns why Windows cannot store a name that other systems can. Undefined if it can. */
export function faultOnWindows(name: string): string | undefined {
  for (const part of name.split('/')) {
    const [char] = /[<>:"|?*]/.exec(part) ?? [];
    if (char !== undefined) return `Windows does not allow ${char} in a name`;
    if (/^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(\.|$)/i.test(part)) return 'Windows reserves it';
  }
  return undefined;
}

const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * Returns a function that takes the names of a bundle one by one. If a name conflicts with an earlier name, the
 * function returns the reason. Names that some file system does not distinguish conflict.
 */
export function openNames(): (name: string, kind: 'file' | 'folder') => string | undefined {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  return (name, kind) => {
    const parts = name.split('/');
    const above = kind === 'file' ? parts.slice(0, -1) : parts;
    for (let count = 1; count <= above.length; count++) {
      const folder = parts.slice(0, count).join('/');
      const key = keyOf(folder);
      if (files.has(key)) return `${folder} is both a file and a folder`;
      const before = folders.get(key);
      if (before !== undefined && before !== folder) return conflictOf(before, folder);
      folders.set(key, folder);
      if (folders.size > limits.folders) return `there are more than ${limits.folders} folders`;
    }
    if (kind === 'folder') return undefined;
    const key = keyOf(name);
    const before = files.get(key);
    if (before !== undefined) return before === name ? 'it occurs twice' : conflictOf(before, name);
    if (folders.has(key)) return 'it is both a file and a folder';
    files.set(key, name);
    return undefined;
  };
}

/** Some file systems ignore case, and some ignore whether é is one character or an e with an accent. */
const conflictOf = (one: string, other: string) =>
  `${one} and ${other} differ only in ${one.normalize() === other.normalize() ? 'Unicode normalization' : 'case'}`;

/** Returns the same key for names that conflict. The conversion to upper case makes `ß` and `ss` equal. */
const keyOf = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase();
