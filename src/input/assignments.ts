/** Parses `-F a.b[]=value` and `-f a=value`, and sets these fields in a request body. */
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';

/** A field name, or undefined for `[]`, which appends to a list. */
type Step = string | undefined;

export interface Assignment {
  readonly steps: readonly Step[];
  readonly text: string;
}

/** Parses `given`. Throws `usage` unless it is `name=value`. A backslash escapes a dot, a bracket or an equals sign. */
export function parseAssignment(given: string, label: string): Assignment {
  const found = /^((?:\\.|[^\\=])+)=(.*)$/s.exec(given);
  const [, place = '', text = ''] = found ?? [];
  const steps = place.match(/\[\]|(?:\\.|[^\\.[\]])+/gs) ?? [];
  // In a valid path, the steps contain every character except the dots between them.
  const isWhole = place === steps.map((step, at) => (at === 0 || step === '[]' ? step : `.${step}`)).join('');
  if (!found || steps.length === 0 || steps[0] === '[]' || !isWhole)
    throw new DtpError('usage', `${label} must be NAME=VALUE, such as name=x, owner.name=x or tags[]=x`);
  return { steps: steps.map((step) => (step === '[]' ? undefined : step.replace(/\\(.)/gs, '$1'))), text };
}

/**
 * Sets a value in `body` and creates the objects and lists on its path. `list[].name` sets a field of the last record
 * in the list, or of a new record if the last one already has that field. Throws `usage` if a value on the path is
 * neither an object nor a list.
 */
export function assign(body: unknown, { steps }: Assignment, value: unknown, label: string): void {
  let at = body;
  steps.forEach((step, index) => {
    const rest = steps.slice(index + 1);
    const isLast = rest.length === 0;
    const next = () => (isLast ? value : rest[0] === undefined ? [] : {});
    if (step === undefined) {
      if (!Array.isArray(at)) throw wrongType(steps, index, 'a list', label);
      if (!hasRoom(at.at(-1), rest)) at.push(next());
      at = at.at(-1);
      return;
    }
    if (!isRecord(at)) throw wrongType(steps, index, 'an object', label);
    if (isLast || !Object.hasOwn(at, step))
      // Plain assignment would set the prototype for a field named `__proto__`.
      Object.defineProperty(at, step, { value: next(), enumerable: true, writable: true, configurable: true });
    at = at[step];
  });
}

/** Whether a record has no value at the path yet. */
function hasRoom(record: unknown, [name, ...rest]: readonly Step[]): boolean {
  if (!isRecord(record) || name === undefined) return false;
  if (!Object.hasOwn(record, name)) return true;
  if (rest.length === 0) return false;
  return rest[0] === undefined || hasRoom(record[name], rest);
}

const wrongType = (steps: readonly Step[], index: number, what: string, label: string) =>
  new DtpError('usage', `${label} ${shown(steps)}: ${shown(steps.slice(0, index)) || 'the body'} is not ${what}`);

const shown = (steps: readonly Step[]) =>
  steps.map((step, at) => (step === undefined ? '[]' : at === 0 ? step : `.${step}`)).join('');

/** Decodes `true`, `false`, `null` and numbers. Everything else is a string. Throws `usage` for an inexact number. */
export function decodeTyped(text: string, label: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  const value = Number(text);
  if (/^-?\d+$/.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value)) return value;
  throw new DtpError('usage', `${label}: ${text} cannot be represented exactly as a number`, {
    hint: 'Send it as a string with -f.',
  });
}
