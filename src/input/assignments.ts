/** `-F a.b[]=value` and `-f a=value`: members of a body, by their places in it. */

import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';

/** A name, or undefined for `[]`: the end of a list. */
type Step = string | undefined;

export interface Assignment {
  readonly steps: readonly Step[];
  readonly text: string;
}

/** Throws `usage` for what is no `name=value`. A backslash takes the meaning from a dot, a bracket or an equals sign. */
export function parseAssignment(given: string, label: string): Assignment {
  const found = /^((?:\\.|[^\\=])+)=(.*)$/s.exec(given);
  const [, place = '', text = ''] = found ?? [];
  const steps = place.match(/\[\]|(?:\\.|[^\\.[\]])+/gs) ?? [];
  // What the steps leave out are the dots between them.
  const isWhole = place === steps.map((step, at) => (at === 0 || step === '[]' ? step : `.${step}`)).join('');
  if (!found || steps.length === 0 || steps[0] === '[]' || !isWhole)
    throw new DtpError('usage', `${label} must be NAME=VALUE, such as name=x, owner.name=x or tags[]=x`);
  return { steps: steps.map((step) => (step === '[]' ? undefined : step.replace(/\\(.)/gs, '$1'))), text };
}

/**
 * Sets a value in `body`, making what is on the way. `list[].name` is of the list's last record, or of a new one where
 * that has the name already. Throws `usage` where something else is in the way.
 */
export function assign(body: unknown, { steps }: Assignment, value: unknown, label: string): void {
  let at = body;
  steps.forEach((step, index) => {
    const rest = steps.slice(index + 1);
    const isLast = rest.length === 0;
    const next = () => (isLast ? value : rest[0] === undefined ? [] : {});
    if (step === undefined) {
      if (!Array.isArray(at)) throw inTheWay(steps, index, 'a list', label);
      if (!takes(at.at(-1), rest)) at.push(next());
      at = at.at(-1);
      return;
    }
    if (!isRecord(at)) throw inTheWay(steps, index, 'an object', label);
    if (isLast || !Object.hasOwn(at, step))
      // A name such as `__proto__` is a name like any other.
      Object.defineProperty(at, step, {
        value: next(),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    at = at[step];
  });
}

/** Whether a record has room at these steps. */
function takes(record: unknown, [name, ...rest]: readonly Step[]): boolean {
  if (!isRecord(record) || name === undefined) return false;
  if (!Object.hasOwn(record, name)) return true;
  if (rest.length === 0) return false;
  return rest[0] === undefined || takes(record[name], rest);
}

const inTheWay = (steps: readonly Step[], index: number, what: string, label: string) =>
  new DtpError(
    'usage',
    `${label} ${shown(steps)}: ${shown(steps.slice(0, index)) || 'the body'} is not ${what}`,
  );

const shown = (steps: readonly Step[]) =>
  steps.map((step, at) => (step === undefined ? '[]' : at === 0 ? step : `.${step}`)).join('');

/** `true`, `false`, `null` and numbers for what they say; anything else is a text. Throws `usage` for an inexact number. */
export function typed(text: string, label: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  const value = Number(text);
  if (/^-?\d+$/.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value)) return value;
  throw new DtpError(
    'usage',
    `${label}: the number ${text} cannot be kept exactly; give it as a text, with -f`,
  );
}
