/** Generates an OpenAPI Overlay 1.0.0 that fills in what a document does not describe, by fixed rules. */
import { childOf } from '../../documents/operations.ts';
import { isRecord, isStrings, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { type Missing, type Place, undescribedIn, undescribedInfo } from './described.ts';
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

export interface Diagnostic {
  readonly path: readonly string[];
  /** How to fix it, or else what is wrong. Undefined if neither is given. */
  readonly advice: string | undefined;
}

export interface SuggestOptions {
  readonly type: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): readonly string[] => (isStrings(value) ? value : []);

const documentOperations = (document: JsonObject): readonly OperationSummary[] =>
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
function summaryOperations(summary: unknown): readonly OperationSummary[] {
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
  const read = diagnostics.map((each, index) => {
    if (!isRecord(each) || !isStrings(each.path))
      throw new Refusal(422, `diagnostics[${index}].path must be an array of strings`);
    const advice = [each.helpMessage, each.message].map(textOf).find((text) => text !== '');
    return { path: each.path, advice };
  });
  return { type, diagnostics: read };
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

/** Whether a diagnostic points at a field that is missing, at one of its parents, or at something inside it. */
const pointsAt = ({ path }: Diagnostic, { place, alias = place }: Missing, field: string): boolean =>
  [place, alias].some((each) => {
    const keys = [...each, field];
    // New tags are added to those of the document, which a longer path leads to.
    if (each.length === 0 && path.length > keys.length) return false;
    return path.every((part, index) => index >= keys.length || part === String(keys[index]));
  });

/** Leaves out the words of the group: `list-global-advisories` of `security-advisories` becomes `listGlobal`. */
function methodNameOf(words: readonly string[], group: string): string {
  const shared = new Set(wordsOf(group).flatMap((word) => [word, ...singularWords([word])]));
  const own = words.filter((word) => !shared.has(word) && !shared.has(singularWords([word])[0] ?? word));
  return camelCase(own.length > 0 ? own : words);
}

function missingOf(operation: OperationSummary, taken: Set<string>): JsonObject {
  const { method, path, operationId, summary, description, tags } = operation;
  const words = operationId ? wordsOf(operationId) : phrase(method, path);
  const summaryText = summary?.trim() || sentence(words);
  const group = operation.group || tags[0] || groupOf(path);
  const methodName = methodNameOf(words, group);
  const described = summaryText.replace(/[.:\s]+$/, '');
  return {
    ...(!operationId && { operationId: unique(camelCase(words), taken) }),
    ...(summary?.trim() === '' && { summary: summaryText }),
    ...(!description.trim() && { description: `${described}: \`${method.toUpperCase()} ${path}\`.` }),
    ...(tags.length === 0 && { tags: [groupOf(path)] }),
    ...(!operation.methodName && { 'x-method-name': unique(methodName, taken, group) }),
    ...(!operation.group && { 'x-group': group }),
  };
}

/** What operations do not have. Several paths may refer to one path item: the first path names its operations. */
function missingFrom(operations: readonly OperationSummary[]): readonly Missing[] {
  const taken = new Set(operations.map(({ operationId }) => operationId).filter((id) => id !== ''));
  const byTarget = new Map<string, OperationSummary>();
  for (const operation of operations)
    if (!byTarget.has(targetOf(operation.place))) byTarget.set(targetOf(operation.place), operation);
  return [...byTarget.values()].map((operation) => ({
    place: operation.place,
    update: missingOf(operation, taken),
    alias: ['paths', operation.path, operation.method],
  }));
}

/** The fields of a suggestion that the request asks for. */
function chosenOf(missing: Missing, { type, diagnostics }: SuggestOptions): Missing {
  const chosen = Object.entries(missing.update).filter(([field]) => {
    if (type === 'method-names') return isNamed(field);
    if (field.startsWith('x-')) return false;
    return type !== 'diagnostics-only' || diagnostics.some((one) => pointsAt(one, missing, field));
  });
  return { ...missing, update: Object.fromEntries(chosen) };
}

const targetOf = (place: Place): string => `$${place.map((key) => `[${JSON.stringify(key)}]`).join('')}`;

/** The object that a path leads to, or the closest one above it. Without a document, the path itself. */
function placeOf(path: readonly string[], document: JsonObject | undefined): Place {
  if (!document) return path;
  const place: (string | number)[] = [];
  let [node, deepest]: [unknown, number] = [document, 0];
  for (const part of path) {
    node = childOf(node, part);
    if (typeof node !== 'object' || node === null) break;
    place.push(Array.isArray(parentOf(document, place)) ? Number(part) : part);
    // An update of an array would be appended to it.
    if (isRecord(node)) deepest = place.length;
  }
  return place.slice(0, deepest);
}

const parentOf = (document: JsonObject, place: Place): unknown =>
  place.reduce<unknown>((node, key) => childOf(node, String(key)), document);

/** What to do about diagnostics that no rule knows: the advice, at the place that they point at. */
function advised(
  { type, diagnostics }: SuggestOptions,
  chosen: readonly Missing[],
  document: JsonObject | undefined,
): readonly Missing[] {
  if (type === 'method-names') return [];
  const isKnown = (diagnostic: Diagnostic) =>
    chosen.some((missing) =>
      Object.keys(missing.update).some((field) => pointsAt(diagnostic, missing, field)),
    );
  const byTarget = new Map<string, { readonly place: Place; readonly advice: string[] }>();
  for (const diagnostic of diagnostics.filter((one) => !isKnown(one))) {
    const place = placeOf(diagnostic.path, document);
    const known = byTarget.get(targetOf(place)) ?? { place, advice: [] };
    known.advice.push(diagnostic.advice ?? `Fix ${diagnostic.path.join('.') || 'the document'}.`);
    byTarget.set(targetOf(place), known);
  }
  return [...byTarget.values()].map(({ place, advice }) => ({
    place,
    update: { 'x-suggestion': advice.join('\n') },
  }));
}

/** The overlay in JSON, as the API document declares it. */
function overlayText(
  missing: readonly Missing[],
  options: SuggestOptions,
  document: JsonObject | undefined,
): string {
  const chosen = missing.map((one) => chosenOf(one, options));
  const actions = [...chosen, ...advised(options, chosen, document)]
    .filter(({ update }) => Object.keys(update).length > 0)
    .map(({ place, update }) => ({ target: targetOf(place), update }));
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'Suggested improvements', version: '1.0.0' },
    // An overlay must have an action. This one changes nothing.
    actions: actions.length > 0 ? actions : [{ target: '$', update: {} }],
  };
  return `${JSON.stringify(overlay, null, 2)}\n`;
}

export function documentOverlay(document: JsonObject, options: SuggestOptions): string {
  const operations = documentOperations(document);
  const own = missingFrom(operations);
  if (options.type === 'method-names') return overlayText(own, options, document);
  const used = operations.flatMap(({ tags, path }) => (tags.length > 0 ? tags : [groupOf(path)]));
  return overlayText([...own, ...undescribedIn(document, used)], options, document);
}

/** What `summaryOf` reads from an OASSummary. */
export interface Summary {
  readonly info: JsonObject;
  readonly operations: readonly OperationSummary[];
}

export const summaryOf = (summary: unknown): Summary => ({
  info: isRecord(summary) && isRecord(summary.info) ? summary.info : {},
  operations: summaryOperations(summary),
});

export const summaryOverlay = ({ info, operations }: Summary, options: SuggestOptions): string =>
  overlayText([...missingFrom(operations), ...undescribedInfo(info)], options, undefined);

/** Writes an item in the case that the prompt names, or in title case. An operation becomes a verb phrase. */
export function tidy(item: string, prompt: string): string {
  const [, method = '', path = ''] = /^\s*([a-z]+)\s+(\/\S*)\s*$/i.exec(item) ?? [];
  const words = path ? phrase(method.toLowerCase(), path) : wordsOf(item);
  if (/camel/i.test(prompt)) return camelCase(words);
  if (/snake/i.test(prompt)) return words.join('_');
  if (/kebab/i.test(prompt)) return words.join('-');
  return words.map(title).join(' ');
}
