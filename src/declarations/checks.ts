/** What the values of settings must be. */
import { isProxyAddress } from '../transport/proxy.ts';
import { isDuration } from './duration.ts';
import type { Check } from './row.ts';

export const anything: Check = { words: 'anything', is: () => true };
export const text: Check = { words: 'a text', is: (value) => value.trim() !== '' };
export const time: Check = { words: 'a time such as 90s or 5m', is: isDuration };
export const proxyUrl: Check = {
  words: 'an http: or https: address, a name and a password in it percent-encoded',
  is: (value) => value === '' || isProxyAddress(value),
};
/** A word is a part of a path segment: it cannot change where a request goes. */
export const word: Check = { words: 'letters, digits, - or _', is: (value) => /^[\w-]+$/.test(value) };
export const names: Check = {
  words: 'names of members such as id,name,owner.name',
  is: (value) => value.split(',').every((name) => name.trim() !== ''),
};
/** RFC 9110 §5.1, without the names that mean something else. */
export const header: Check = {
  words: 'the name of a header of its own',
  is: (value) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(value) &&
    !/^(host|content-.*|transfer-encoding|connection|accept.*|te|trailer|upgrade|expect|user-agent|keep-alive)$/i.test(
      value,
    ),
};
export const yesOrNo: Check = { words: '1 or 0', is: (value) => /^(1|0|true|false|yes|no)$/i.test(value) };
export const baseUrl: Check = {
  words: 'an address such as https://api.example.com, without user name, query and fragment, or local:',
  is: isBase,
};

/** One of these, and nothing else. */
export const oneOf = <const Choices extends readonly string[]>(...choices: Choices) => ({
  words: choices.join(', '),
  is: (value: string) => choices.includes(value),
  choices,
});

/** http: and https: without user info, query and fragment, and `local:`, the embedded service. */
function isBase(value: string): boolean {
  if (value === 'local:' || value === 'local:/') return true;
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
