/** Strings that would act on a terminal, and values that contain them in every string. */

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** C0, DEL and C1; soft hyphen, bidi, zero-width; separators; BOM; tags; lone surrogates. */
export const hostileCharacters: readonly string[] = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0xad, 0x61c, 0x180e],
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x2064),
  ...range(0x2066, 0x206f),
  ...[0xfeff, 0xfff9, 0xfffa, 0xfffb, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe0001, 0xe0041, 0xe007f],
].map((point) => String.fromCodePoint(point));

/** CSI, OSC with both terminators, DCS, APC, PM and SOS, in their 7-bit and 8-bit forms. */
const sequences = [
  '\u001b[2J\u001b[31m\u001b[?25l\u009b1A',
  '\u001b]0;title\u0007\u001b]8;;https://evil.example\u001b\\\u009d52;c;ZXZpbA==\u009c',
  '\u001bP+q544e\u001b\\\u0090tmux;\u009c',
  '\u001b_apc\u001b\\\u009fapc\u009c\u001b^pm\u009e\u001bXsos\u0098\u001bc',
];

/** Each character stands between letters. Next to another one it could become a pair, or part of an emoji. */
export const hostileText = `${hostileCharacters.map((char) => `x${char}`).join('')}x${sequences.join(' ')}end`;

/**
 * The hostile characters that a string contains unescaped, as escapes that a failure can show. Surrogates in
 * pairs are not lone.
 */
export function bareIn(text: string, allowed = '\n'): readonly string[] {
  const rest = text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '');
  return hostileCharacters
    .filter((char) => !allowed.includes(char) && (char.length > 1 ? text : rest).includes(char))
    .map((char) => JSON.stringify(char));
}

/**
 * The value with the hostile string in each of its strings, and in an extra field of each record, under a
 * hostile name.
 */
export function infected(value: unknown): unknown {
  if (typeof value === 'string') return `${value}${hostileText}`;
  if (Array.isArray(value)) return value.map(infected);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, infected(one)] as const);
  return { ...Object.fromEntries(members), [`name${hostileText}`]: hostileText };
}
