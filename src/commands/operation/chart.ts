/** `--chart`: bar charts of events by day and of usage by language. */
import { DtpError } from '../../errors.ts';
import { fieldsOf, isRecord } from '../../json-object.ts';
import type { Output } from '../../output/choice.ts';
import type { Result } from '../../output/result.ts';
import { counted, instantOf, localText } from '../../render/amounts.ts';
import type { Bar } from '../../render/chart.ts';
import { inAscii } from '../../render/signs.ts';
import type { Value } from '../../request/read.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

const charts: Readonly<Record<string, (value: unknown) => readonly Bar[]>> = {
  searchWorkspaceEvents: (value) => byDay(rowsIn(value)),
  getOrganizationUsage: (value) => byLanguage(rowsIn(fieldsOf(value).usage)),
};

const defaultWidth = 80;

/** Throws `usage` if a format for programs is requested. */
export function checkChart({ asked, query, fields }: Output): void {
  if ((asked !== undefined && asked !== 'table') || query || fields)
    throw new DtpError('usage', '--chart cannot be combined with -o, --query, --jq or --fields');
}

export async function chartOf(id: string, value: Value, output: Output): Promise<Result> {
  const bars = (value.kind === 'json' && charts[id]?.(value.value)) || [];
  const { chart } = await import('../../render/chart.ts');
  const drawn = chart(bars, output.width ?? defaultWidth, output.color);
  return {
    kind: 'text',
    text: output.width !== undefined && output.plainSigns ? inAscii(drawn) : drawn,
    notes: bars.length === 0 ? ['no results'] : [],
  };
}

const rowsIn = (value: unknown): Rows => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Includes the days without events, unless the period is too long. */
function byDay(events: Rows): readonly Bar[] {
  const days = new Map<string, { all: number; failed: number }>();
  for (const { created_at, success } of events) {
    const at = instantOf(created_at);
    if (at === undefined) continue;
    const day = localText(at).slice(0, 10);
    const { all, failed } = days.get(day) ?? { all: 0, failed: 0 };
    days.set(day, { all: all + 1, failed: failed + (success === false ? 1 : 0) });
  }
  return between([...days.keys()].sort()).map((day) => {
    const { all, failed } = days.get(day) ?? { all: 0, failed: 0 };
    const note = failed > 0 ? `${counted(all)}, ${counted(failed)} failed` : counted(all);
    return { label: day, value: all, marked: failed, note };
  });
}

const mostDays = 62;

/** Every day from the first to the last. If these are too many, only the given days. */
function between(days: readonly string[]): readonly string[] {
  const all: string[] = [];
  const last = days.at(-1) ?? '';
  // At noon, a daylight saving change cannot shift the date.
  for (let at = Date.parse(`${days[0]}T12:00:00Z`); all.length <= mostDays; at += 86_400_000) {
    const day = Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 10);
    if (day === '' || day > last) return all;
    all.push(day);
  }
  return days;
}

const byLanguage = (usage: Rows): readonly Bar[] =>
  usage.map(({ language, number_of_operations, max_operations }) => {
    const value = Number(number_of_operations) || 0;
    const most = Number(max_operations) || 0;
    const note = most > 0 ? `${counted(value)} of ${counted(most)}` : counted(value);
    return { label: String(language ?? ''), value, most, note };
  });
