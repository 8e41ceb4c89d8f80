/** Writes lists of notes. In the log of a GitLab job, a reader can open and close a long one. */
import type { Context } from '../context.ts';
import type { Log } from './log.ts';

/** The number of lines from which a list is a section. */
const fewest = 10;

/** Writes a title and the lines of a list below it. */
export function noteList(
  { context, log }: { readonly context: Context; readonly log: Log },
  title: string,
  lines: readonly string[],
): void {
  const isSection = context.env.GITLAB_CI === 'true' && lines.length >= fewest;
  const name = `dtp_${context.uuid()}`;
  // GitLab only recognizes a mark with these control characters, which notes never contain.
  const mark = (kind: 'start' | 'end', options: string, end: string) => {
    const time = Math.floor(context.date().getTime() / 1000);
    if (isSection) context.stderr.write(`\u001b[0Ksection_${kind}:${time}:${name}${options}\r\u001b[0K${end}`);
  };
  mark('start', '[collapsed=true]', '');
  for (const line of [title, ...lines.map((one) => `  ${one}`)]) log.note(line);
  mark('end', '', '\n');
}
