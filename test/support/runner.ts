/** What GitHub's runner finds in a log and in the file GITHUB_ENV, by the rules of its parsers. */

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

/** The variables that GITHUB_ENV sets: lines with `NAME=value`, or a value of several lines after `NAME<<END`. */
export function variablesIn(file: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const lines = file.split(/\r\n|\n|\r/);
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    if (line === '') continue;
    const [, name = '', sign, rest = ''] = /^(.*?)(=|<<)(.*)$/.exec(line) ?? [];
    if (sign === undefined) throw new Error(`invalid line: ${line}`);
    if (sign === '=') found[name] = rest;
    else
      found[name] = lines
        .splice(0, lines.indexOf(rest) + 1)
        .slice(0, -1)
        .join('\n');
  }
  return found;
}
