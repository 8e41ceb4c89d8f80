/** Finds the list commands that show valid values of the parameter that caused a 404 or 422. */
import { attempt } from '../caught.ts';
import type { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { type Resource, resourceFor } from '../operations/resources.ts';
import { asArguments, sameService, type Word } from '../settings/command-line.ts';
import { argumentsOf, flagsOf } from '../tree/operation-flags.ts';
import type { Attempt } from './connection.ts';

/**
 * Returns the list commands with their arguments, best first. The list is for the parameter that the service's message
 * names, or else for the last parameter in the path that has a list. Empty if there is no such parameter.
 */
export function listCommandsFor({ facts }: DtpError, { operation, input, settings, globals }: Attempt) {
  if (!input) return [];
  const given: Input = {
    workspace_id: settings.values.workspace?.value,
    // Blobs are listed in the manifest of a revision. Suggest that of the latest revision.
    revision_reference: 'latest',
    ...fieldsOf(input.body),
    ...input,
  };
  const places = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  // The workspace comes first even if it is a query parameter, because it contains everything else.
  const isOfWorkspace = 'workspace_id' in operation.input && !places.includes('workspace_id');
  const path = isOfWorkspace ? ['workspace_id', ...places] : places;
  const fields = [...flagsOf(operation).map(({ field, member }) => member ?? field), ...path];
  const answer = answerText(facts.details);
  const taken = fields.flatMap((name) => {
    const resource = resourceFor(operation, name);
    return resource ? [{ name, resource }] : [];
  });
  const failed =
    taken.findLast(({ name, resource }) => isNamed(resource, given[name], answer)) ??
    taken.findLast(({ name, resource }) => path.includes(name) && resource.shownBy.length > 0);
  if (failed === undefined) return [];
  return failed.resource.shownBy.flatMap((list) => {
    const args = argumentsOf(list).map(([name]) => given[name]);
    if (list.id === operation.id || args.some((value) => typeof value !== 'string')) return [];
    const takesWorkspace = 'workspace_id' in list.input;
    return [[...list.command, ...asArguments(args.map(String)), ...sameService(globals, takesWorkspace)]];
  });
}

/** The wording of services in a 422 if a value refers to a thing that does not exist. */
const missing = /unknown|not found|no such|not exist|\bno \w+ (with|named|called)\b/i;

/** Returns the same for a 422 whose message says that something is missing, and contains a value of the input. */
export function listsForMissing(error: DtpError, attempt: Attempt): readonly (readonly Word[])[] {
  const answer = answerText(error.facts.details);
  const values = Object.values({ ...fieldsOf(attempt.input?.body), ...attempt.input });
  const hasValue = values.some((value) => typeof value === 'string' && value.length > 2 && answer.includes(value));
  return missing.test(answer) && hasValue ? listCommandsFor(error, attempt) : [];
}

/** The keys of error objects, such as those of RFC 9457. They are not fields of the request. */
const envelope = /"(message|errors?|status|code|type|title|details?|instance|request_id)":/g;

/** Returns at most three flags whose fields the service's error names, such as `--valid-until` for `valid_until`. */
export function flagsNamed(details: unknown, operation: Operation): readonly string[] {
  const words = new Set(answerText(details).replace(envelope, '').match(/\w+/g));
  const all = flagsOf(operation).filter(({ field, member }) => words.has(member ?? field));
  // An error about `data.type` is about --type, not about --data as a whole.
  const named = all.filter((flag) => flag.member || !all.some((one) => one.member && one.field === flag.field));
  return named.slice(0, 3).map(({ name }) => `--${name}`);
}

const longest = 2000;

/** Returns the service's response as one string, without HTML pages. Empty if the response is nested too deeply. */
function answerText(details: unknown): string {
  const plain = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' && value.trimStart().startsWith('<') ? '' : value;
  };
  return attempt(() => (JSON.stringify(details, plain) ?? '').slice(0, longest), '');
}

/** Whether the response contains the word of a resource, or the value of the field that takes it. */
function isNamed({ said }: Resource, value: unknown, answer: string): boolean {
  if (said?.test(answer)) return true;
  return typeof value === 'string' && value.length > 2 && answer.includes(value);
}
