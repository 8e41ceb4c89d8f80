/** Generates an OpenAPI Overlay 1.0.0 that fills in missing fields of operations by fixed rules. */
import { stringify } from 'yaml';
import { isRecord, isStrings, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { operationsOf } from './document.ts';
import { camelCase, groupOf, phrase, sentence, singularWords, title, wordsOf } from './naming.ts';

/** What is known about one operation, from a document or from a summary of it. */
export interface OperationSummary {
  readonly method: string;
  readonly path: string;
  /** The keys that lead to the operation. */
  readonly place: readonly string[];
  readonly operationId: string;
  /** Undefined if it is unknown whether the operation has one. */
  readonly summary: string | undefined;
  readonly description: string;
  readonly tags: readonly string[];
  readonly methodName: string;
  readonly group: string;
}

export interface SuggestOptions {
  readonly type: unknown;
  readonly diagnostics: readonly (readonly string[])[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] => (isStrings(value) ? value : []);

export const documentOperations = (document: JsonObject): readonly OperationSummary[] =>
  operationsOf(document).map(({ method, path, place, operation }) => ({
    method,
    path,
    place,
    operationId: textOf(operation.operationId),
    summary: textOf(operation.summary),
    description: textOf(operation.description),
    tags: textsOf(operation.tags),
    methodName: textOf(operation['x-method-name']),
    group: textOf(operation['x-group']),
  }));

/** The operations of an OASSummary, which does not say whether an operation has a summary. */
export function summaryOperations(summary: unknown): readonly OperationSummary[] {
  const operations = isRecord(summary) ? summary.operations : undefined;
  if (!Array.isArray(operations))
    throw new Refusal(422, 'oas_summary.operations is required and must be an array');
  return operations.map((each, index) => {
    if (!isRecord(each) || typeof each.method !== 'string' || typeof each.path !== 'string')
      throw new Refusal(422, `oas_summary.operations[${index}] must have method and path`);
    const method = each.method.toLowerCase();
    return {
      method,
      path: each.path,
      place: ['paths', each.path, method],
      operationId: textOf(each.operation_id),
      summary: typeof each.summary === 'string' ? each.summary : undefined,
      description: textOf(each.description),
      tags: textsOf(each.tags),
      methodName: textOf(each.method_name_override),
      group: textOf(each.group_override),
    };
  });
}

export function suggestOptions(options: unknown): SuggestOptions {
  const { suggestion_type: type, diagnostics = [] } = isRecord(options) ? options : {};
  if (!Array.isArray(diagnostics)) throw new Refusal(422, 'diagnostics must be an array');
  const paths = diagnostics.map((each, index) => {
    if (isRecord(each) && isStrings(each.path)) return each.path;
    throw new Refusal(422, `diagnostics[${index}].path must be an array of strings`);
  });
  return { type, diagnostics: paths };
}

/** A name that is unique within its group. Without a group, it is unique among all operations. */
function unique(name: string, taken: Set<string>, group = ''): string {
  const key = (free: string) => (group === '' ? free : `${group}\n${free}`);
  let free = name;
  for (let number = 2; taken.has(key(free)); number++) free = `${name}${number}`;
  taken.add(key(free));
  return free;
}

const isNamed = (field: string): boolean => field === 'operationId' || field.startsWith('x-');

/** Whether a diagnostic points at the field, at one of its parents, or at something inside it. */
const isDiagnosed = (place: readonly string[], diagnostics: SuggestOptions['diagnostics']): boolean =>
  diagnostics.some((path) => path.every((part, index) => index >= place.length || part === place[index]));

/** Leaves out the words of the group: `list-global-advisories` of `security-advisories` becomes `listGlobal`. */
function methodNameOf(words: readonly string[], group: string): string {
  const shared = new Set(wordsOf(group).flatMap((word) => [word, ...singularWords([word])]));
  const own = words.filter((word) => !shared.has(word) && !shared.has(singularWords([word])[0] ?? word));
  return camelCase(own.length > 0 ? own : words);
}

function missingOf(operation: OperationSummary, taken: Set<string>): JsonObject {
  const { method, path, operationId, summary, description, tags } = operation;
  const words = operationId ? wordsOf(operationId) : phrase(method, path);
  const summaryText = sentence(words);
  const group = operation.group || tags[0] || groupOf(path);
  const methodName = methodNameOf(words, group);
  return {
    ...(!operationId && { operationId: unique(camelCase(words), taken) }),
    ...(summary === '' && { summary: summaryText }),
    ...(!description && { description: `${summaryText}: \`${method.toUpperCase()} ${path}\`.` }),
    ...(tags.length === 0 && { tags: [groupOf(path)] }),
    ...(!operation.methodName && { 'x-method-name': unique(methodName, taken, group) }),
    ...(!operation.group && { 'x-group': group }),
  };
}

function updateOf(operation: OperationSummary, options: SuggestOptions, taken: Set<string>): JsonObject {
  const place = ['paths', operation.path, operation.method];
  const chosen = Object.entries(missingOf(operation, taken)).filter(([field]) => {
    if (options.type === 'method-names') return isNamed(field);
    if (field.startsWith('x-')) return false;
    return options.type !== 'diagnostics-only' || isDiagnosed([...place, field], options.diagnostics);
  });
  return Object.fromEntries(chosen);
}

export function overlayOf(operations: readonly OperationSummary[], options: SuggestOptions): string {
  const taken = new Set(operations.map(({ operationId }) => operationId).filter((id) => id !== ''));
  const targetOf = ({ place }: OperationSummary) =>
    `$${place.map((key) => `[${JSON.stringify(key)}]`).join('')}`;
  // Several paths may refer to the same path item. The first path names its operations.
  const byTarget = new Map<string, OperationSummary>();
  for (const operation of operations)
    if (!byTarget.has(targetOf(operation))) byTarget.set(targetOf(operation), operation);
  const actions = [...byTarget]
    .map(([target, operation]) => ({ target, update: updateOf(operation, options, taken) }))
    .filter(({ update }) => Object.keys(update).length > 0);
  return stringify({
    overlay: '1.0.0',
    info: { title: 'Suggested improvements', version: '1.0.0' },
    // An overlay must have an action. This one changes nothing.
    actions: actions.length > 0 ? actions : [{ target: '$', update: {} }],
  });
}

/** Writes an item in the case that the prompt names, or in title case. An operation becomes a verb phrase. */
export function tidy(item: string, prompt: string): string {
  const [, method = '', path = ''] = /^\s*([a-z]+)\s+(\/\S*)\s*$/i.exec(item) ?? [];
  const words = path ? phrase(method.toLowerCase(), path) : wordsOf(item);
  if (/camel/i.test(prompt)) return camelCase(words);
  if (/snake/i.test(prompt)) return words.join('_');
  if (/kebab/i.test(prompt)) return words.join('-');
  return words.map(title).join(' ');
}
