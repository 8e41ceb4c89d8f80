/** The colors of a captured screen as marks that a person can read and compare. */
const names = new Map([
  [1, 'bold'],
  [2, 'dim'],
  [3, 'italic'],
  [4, 'underlined'],
  [7, 'inverse'],
  ...['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'].map(
    (name, at) => [30 + at, name] as const,
  ),
]);

/** The codes that each code ends, besides itself. 39 is the usual color. */
const ends = (code: number): ((other: number) => boolean) => {
  if (code === 0) return () => true;
  if (code === 22) return (other) => other === 1 || other === 2;
  if (code > 22 && code < 30) return (other) => other === code - 20;
  if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) return (other) => other >= 30 && other !== 49;
  return (other) => other === code;
};

const sequence = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

/** `‹bold red:error:› unknown command`. The terminal's own order of codes, which differs between versions, is not in it. */
export function marked(captured: string): string {
  let on: readonly number[] = [];
  const lines = captured.split('\n').map((line) => {
    let text = '';
    for (const [index, part] of line.split(sequence).entries())
      if (index % 2 === 1)
        for (const code of part.split(';').map(Number)) {
          const rest = on.filter((one) => !ends(code)(one));
          on = [0, 22, 39, 49].includes(code) || (code > 22 && code < 30) ? rest : [...rest, code];
        }
      else if (on.length === 0 || part.trim() === '') text += part;
      else
        text += `‹${on
          .toSorted((one, other) => one - other)
          .map((one) => names.get(one) ?? one)
          .join(' ')}:${part.trimEnd()}›${' '.repeat(part.length - part.trimEnd().length)}`;
    return text.trimEnd();
  });
  return lines.join('\n');
}

/** Without the marks. */
export const plain = (text: string): string => text.replace(/‹[\w ]+:([^›\n]*)›/g, '$1');
