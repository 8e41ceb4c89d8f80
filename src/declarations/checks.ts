/** Defines the checks for the values of settings. */
import { isProxyAddress } from '../transport/proxy.ts';
import { durationWords, isDuration } from './duration.ts';
import type { ValueCheck } from './row.ts';

export const anything: ValueCheck = { words: 'anything', is: () => true };
export const text: ValueCheck = { words: 'a string that is not empty', is: (value) => value.trim() !== '' };
export const time: ValueCheck = { words: durationWords, is: isDuration };
export const proxyUrl: ValueCheck = {
  words: 'an http: or https: URL, with user name and password percent-encoded',
  is: (value) => value === '' || isProxyAddress(value),
};
/** A word that becomes part of a path. It must not contain characters such as /, which could change the target. */
export const word: ValueCheck = { words: 'letters, digits, - or _', is: (value) => /^[\w-]+$/.test(value) };
export const namesCheck: ValueCheck = {
  words: 'field names separated by commas, such as id,name,owner.name',
  is: (value) => value.split(',').every((name) => name.trim() !== ''),
};
/** A header name as in RFC 9110 §5.1, except for names that HTTP itself uses. */
export const headerCheck: ValueCheck = {
  words: 'the name of a header that HTTP does not use itself',
  is: (value) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(value) &&
    !/^(host|content-.*|transfer-encoding|connection|accept.*|te|trailer|upgrade|expect|user-agent|keep-alive)$/i.test(
      value,
    ),
};
export const yesOrNo: ValueCheck = { words: '1 or 0', is: (value) => /^(1|0|true|false|yes|no|on|off)$/i.test(value) };
export const baseUrl: ValueCheck = {
  words: 'a URL such as https://api.example.com (without user name, query or fragment), or local:',
  is: isBase,
};

/** Formats a list such as `a, b or c`. */
export const orList = (choices: readonly string[]): string => choices.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** Returns a check that accepts only these values. */
export const oneOf = <const Choices extends readonly string[]>(...choices: Choices) => ({
  words: orList(choices),
  is: (value: string) => choices.includes(value),
  choices,
});

/** What variables accept, for a setting that files contain as true or false. */
export const trueOrFalse = { ...oneOf('true', 'false'), is: yesOrNo.is };

/** Whether a value is `local:`, or an http: or https: URL without user info, query and fragment. */
function isBase(value: string): boolean {
  if (value === 'local:' || value === 'local:/') return true;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
