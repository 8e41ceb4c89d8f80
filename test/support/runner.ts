/** The workflow commands that GitHub's runner finds in a log, by the rules of its parser. */

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Undoes the runner's escapes in its order: the percent sign last. */
const unescaped = (text: string, more: readonly (readonly [string, string])[] = []) =>
  [['%0D', '\r'], ['%0A', '\n'], ...more, ['%25', '%']].reduce(
    (rest, [from, to]) => rest.replaceAll(from as string, to as string),
    text,
  );

/** `::name key=value,key=value::message` at the start of a line, or `##[name …]message` anywhere in a line. */
export function commandsIn(log: string): readonly Command[] {
  return log.split(/\r\n|\n|\r/).flatMap((line): readonly Command[] => {
    const text = line.trimStart();
    const end = text.startsWith('::') ? text.indexOf('::', 2) : -1;
    if (end < 0) {
      const old = /##\[([^\]]*)\](.*)/.exec(line);
      return old ? [{ name: `old ${old[1]}`, properties: {}, message: old[2] ?? '' }] : [];
    }
    const [name = '', ...rest] = text.slice(2, end).split(' ');
    const pairs = rest
      .join(' ')
      .split(',')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
    const more = [
      ['%3A', ':'],
      ['%2C', ','],
    ] as const;
    return [
      {
        name,
        properties: Object.fromEntries(pairs.map(([key, value]) => [key, unescaped(value, more)])),
        message: unescaped(text.slice(end + 2)),
      },
    ];
  });
}
