/** Generates an OpenAPI Overlay 1.0.0 that adds missing names and descriptions to a document by fixed rules. */
import { childOf } from '../../documents/operations.ts';
import { stringOf as textOf } from '../../json-object.ts';
import { fieldsOf, isRecord, isStrings, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { type Missing, type NodePath, undescribedIn, undescribedInfo } from './described.ts';
import { describedOperationsOf } from './document.ts';
import { camelCase, capitalize, groupOf, nameWordsOf, sentence, singularWords, verbPhrase } from './naming.ts';

/** What is known about one operation, from a document or from a summary of it. */
type OperationSummary = ReturnType<typeof summaryOperations>[number];

export interface Diagnostic {
  readonly path: readonly string[];
  /** The diagnostic's help message, or else its message. Undefined if it has neither. */
  readonly advice: string | undefined;
}

export interface SuggestOptions {
  readonly type: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

const textsOf = (value: unknown): readonly string[] => (isStrings(value) ? value : []);

const documentOperations = (document: JsonObject): readonly OperationSummary[] =>
  describedOperationsOf(document).map(({ method, path, place, operation }) => ({
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

/** Reads the operations of an OASSummary, which need not say whether an operation has a summary. */
function summaryOperations(summary: unknown) {
  const operations = isRecord(summary) ? summary.operations : undefined;
  if (!Array.isArray(operations)) throw new Refusal(422, 'oas_summary.operations is required and must be an array');
  return operations.map((each, index) => {
    if (!isRecord(each) || typeof each.method !== 'string' || typeof each.path !== 'string')
      throw new Refusal(422, `oas_summary.operations[${index}] must have method and path`);
    const method = each.method.toLowerCase();
    return {
      method,
      path: each.path,
      /** The keys that lead to the operation. */
      place: ['paths', each.path, method] as readonly string[],
      operationId: textOf(each.operation_id),
      /** Undefined if it is unknown whether the operation has a summary. */
      summary: typeof each.summary === 'string' ? each.summary : undefined,
      description: textOf(each.description),
      tags: textsOf(each.tags),
      methodName: textOf(each.method_name_override),
      group: textOf(each.group_override),
    };
  });
}

export function suggestOptions(options: unknown): SuggestOptions {
  const { suggestion_type: type, diagnostics = [] } = fieldsOf(options);
  if (!Array.isArray(diagnostics)) throw new Refusal(422, 'diagnostics must be an array');
  const read = diagnostics.map((each, index) => {
    if (!isRecord(each) || !isStrings(each.path))
      throw new Refusal(422, `diagnostics[${index}].path must be an array of strings`);
    const advice = [each.helpMessage, each.message].map(textOf).find((text) => text !== '');
    return { path: each.path, advice };
  });
  return { type, diagnostics: read };
}

/** Adds a number to a name that is already taken in its group, or among the names without a group. */
function unique(name: string, taken: Set<string>, group = ''): string {
  const key = (free: string) => (group === '' ? free : `${group}\n${free}`);
  let free = name;
  for (let number = 2; taken.has(key(free)); number++) free = `${name}${number}`;
  taken.add(key(free));
  return free;
}

const isNamed = (field: string): boolean => field === 'operationId' || field.startsWith('x-');

/** Whether a diagnostic points to the missing field, to one of its parents, or to something inside it. */
const pointsAt = ({ path }: Diagnostic, { place, alias = place }: Missing, field: string): boolean =>
  [place, alias].some((each) => {
    const keys = [...each, field];
    // The overlay only adds new tags, but a longer path leads to one of the document's existing tags.
    if (each.length === 0 && path.length > keys.length) return false;
    return path.every((part, index) => index >= keys.length || part === String(keys[index]));
  });

/** Builds a method name without the words of the group: `listGlobal` for `list-global-advisories` in `advisories`. */
function methodNameOf(words: readonly string[], group: string): string {
  const shared = new Set(nameWordsOf(group).flatMap((word) => [word, ...singularWords([word])]));
  const own = words.filter((word) => !shared.has(word) && !shared.has(singularWords([word])[0] ?? word));
  return camelCase(own.length > 0 ? own : words);
}

function missingOf(operation: OperationSummary, taken: Set<string>): JsonObject {
  const { method, path, operationId, summary, description, tags } = operation;
  const words = operationId ? nameWordsOf(operationId) : verbPhrase(method, path);
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

/** Returns the fields that operations lack. Operations of a shared path item are named after its first path. */
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

/** Selects the missing fields that the request wants suggestions for. */
function chosenOf(missing: Missing, { type, diagnostics }: SuggestOptions): Missing {
  const chosen = Object.entries(missing.update).filter(([field]) => {
    if (type === 'method-names') return isNamed(field);
    if (field.startsWith('x-')) return false;
    return type !== 'diagnostics-only' || diagnostics.some((one) => pointsAt(one, missing, field));
  });
  return { ...missing, update: Object.fromEntries(chosen) };
}

const targetOf = (place: NodePath): string => `$${place.map((key) => `[${JSON.stringify(key)}]`).join('')}`;

/** Finds the object at a path, or else the closest object above it. Without a document, returns the path itself. */
function placeOf(path: readonly string[], document: JsonObject | undefined): NodePath {
  if (!document) return path;
  const place: (string | number)[] = [];
  let [node, deepest]: [unknown, number] = [document, 0];
  for (const part of path) {
    node = childOf(node, part);
    if (typeof node !== 'object' || node === null) break;
    place.push(Array.isArray(parentOf(document, place)) ? Number(part) : part);
    // An overlay would append the update to an array, so only an object can be the place.
    if (isRecord(node)) deepest = place.length;
  }
  return place.slice(0, deepest);
}

const parentOf = (document: JsonObject, place: NodePath): unknown =>
  place.reduce<unknown>((node, key) => childOf(node, String(key)), document);

/** Adds the advice of the diagnostics that no rule covers, each at the place that the diagnostic points to. */
function advised({ type, diagnostics }: SuggestOptions, chosen: readonly Missing[], document: JsonObject | undefined) {
  if (type === 'method-names') return [];
  const isKnown = (diagnostic: Diagnostic) =>
    chosen.some((missing) => Object.keys(missing.update).some((field) => pointsAt(diagnostic, missing, field)));
  const byTarget = new Map<string, { readonly place: NodePath; readonly advice: string[] }>();
  for (const diagnostic of diagnostics.filter((one) => !isKnown(one))) {
    const place = placeOf(diagnostic.path, document);
    const known = byTarget.get(targetOf(place)) ?? { place, advice: [] };
    known.advice.push(diagnostic.advice ?? `Fix ${diagnostic.path.join('.') || 'the document'}.`);
    byTarget.set(targetOf(place), known);
  }
  return [...byTarget.values()].map(({ place, advice }) => ({ place, update: { 'x-suggestion': advice.join('\n') } }));
}

/** Writes an overlay. It must have at least one action, and an empty update changes nothing. */
export function overlayJson(info: JsonObject, actions: readonly JsonObject[]): string {
  const overlay = { overlay: '1.0.0', info, actions: actions.length > 0 ? actions : [{ target: '$', update: {} }] };
  return `${JSON.stringify(overlay, null, 2)}\n`;
}

/** Writes the overlay in JSON, which is the format that the API document declares. */
function overlayText(missing: readonly Missing[], options: SuggestOptions, document: JsonObject | undefined): string {
  const chosen = missing.map((one) => chosenOf(one, options));
  const actions = [...chosen, ...advised(options, chosen, document)]
    .filter(({ update }) => Object.keys(update).length > 0)
    .map(({ place, update }) => ({ target: targetOf(place), update }));
  return overlayJson({ title: 'Suggested improvements', version: '1.0.0' }, actions);
}

export function documentOverlay(document: JsonObject, options: SuggestOptions): string {
  const operations = documentOperations(document);
  const own = missingFrom(operations);
  if (options.type === 'method-names') return overlayText(own, options, document);
  const used = operations.flatMap(({ tags, path }) => (tags.length > 0 ? tags : [groupOf(path)]));
  return overlayText([...own, ...undescribedIn(document, used)], options, document);
}

export type Summary = ReturnType<typeof describedSummaryOf>;

export const describedSummaryOf = (summary: unknown) => ({
  info: fieldsOf(fieldsOf(summary).info),
  operations: summaryOperations(summary),
});

export const summaryOverlay = ({ info, operations }: Summary, options: SuggestOptions): string =>
  overlayText([...missingFrom(operations), ...undescribedInfo(info)], options, undefined);

/** Writes an item in the case that the prompt names, or else in title case. `GET /pets` becomes a verb phrase. */
export function tidyItem(item: string, prompt: string): string {
  const [, method = '', path = ''] = /^\s*([a-z]+)\s+(\/\S*)\s*$/i.exec(item) ?? [];
  const words = path ? verbPhrase(method.toLowerCase(), path) : nameWordsOf(item);
  if (/camel/i.test(prompt)) return camelCase(words);
  if (/snake/i.test(prompt)) return words.join('_');
  if (/kebab/i.test(prompt)) return words.join('-');
  return words.map(capitalize).join(' ');
}
