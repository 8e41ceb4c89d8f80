/** Finds the list commands that show valid values of the parameter that caused a 404 or 422. */

import type { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { operations } from '../operations/index.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { sameService } from '../settings/command-line.ts';
import { listFor, lists } from '../tree/lists.ts';
import { argumentsOf, flagsOf } from '../tree/operation-flags.ts';
import type { Attempt } from './attempt.ts';

/**
 * Returns the list commands with their arguments, best first. The list is for the parameter that the service's message
 * names, or else for the last parameter in the path that has a list. Empty if there is no such parameter.
 */
export function listsFor(
  { facts }: DtpError,
  { operation, input, settings, globals }: Attempt,
): readonly (readonly string[])[] {
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
  const named = fields.findLast((name) => isNamed(name, given, answer));
  const failed = named ?? path.findLast((name) => listsOf(operation, name).length > 0);
  if (failed === undefined) return [];
  return listsOf(operation, failed).flatMap((list) => {
    const args = argumentsOf(list).map(([name]) => given[name]);
    if (list.id === operation.id || args.some((value) => typeof value !== 'string')) return [];
    const takesWorkspace = 'workspace_id' in list.input;
    return [[...list.command, ...args.map(String), ...sameService(globals, takesWorkspace)]];
  });
}

/** The wording of services in a 422 if a value refers to a thing that does not exist. */
const missing = /unknown|not found|no such|not exist|\bno \w+ (with|named|called)\b/i;

/**
 * Returns the same for a 422. Empty unless the message says that something is missing, and contains a value of the
 * input.
 */
export function listsForMissing(error: DtpError, attempt: Attempt): readonly (readonly string[])[] {
  const answer = answerText(error.facts.details);
  const values = Object.values({ ...fieldsOf(attempt.input?.body), ...attempt.input });
  const hasValue = values.some(
    (value) => typeof value === 'string' && value.length > 2 && answer.includes(value),
  );
  return missing.test(answer) && hasValue ? listsFor(error, attempt) : [];
}

/** The keys of error objects, such as those of RFC 9457. They are not fields of the request. */
const envelope = /"(message|errors?|status|code|type|title|details?|instance|request_id)":/g;

/** Returns at most three flags whose fields the service's error names, such as `--valid-until` for `valid_until`. */
export function flagsNamed(details: unknown, operation: Operation): readonly string[] {
  const words = new Set(answerText(details).replace(envelope, '').match(/\w+/g));
  const all = flagsOf(operation).filter(({ field, member }) => words.has(member ?? field));
  // An error about `data.type` is about --type, not about --data as a whole.
  const named = all.filter(
    (flag) => flag.member !== undefined || !all.some((one) => one.member && one.field === flag.field),
  );
  return named.slice(0, 3).map(({ name }) => `--${name}`);
}

function listsOf(operation: Operation, name: string): readonly Operation[] {
  // `listFor` does not include add-ons, because completions know their values without a request.
  if (name === 'add_on') return [operations.getBillingAddOns];
  if (name === 'digest') return [operations.getTags, operations.getManifest];
  const list = listFor(operation, alike.get(name) ?? name);
  if (list === 'revisions') return [operations.getTags, operations.getRevisions];
  return list === undefined ? [] : [lists[list].operation];
}

/** The fields of bodies and queries that have the same values as a path parameter, each with that parameter. */
const alike: ReadonlyMap<string, string> = new Map([
  ['revision_digest', 'revision_reference'],
  ['generate_gen_lock_id', 'target_id'],
]);

/** The maximum number of characters of a response that are searched. */
const longest = 2000;

/** Returns the service's response as one string, without HTML pages. Empty if the response is nested too deeply. */
function answerText(details: unknown): string {
  const plain = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' && value.trimStart().startsWith('<') ? '' : value;
  };
  try {
    return (JSON.stringify(details, plain) ?? '').slice(0, longest);
  } catch {
    return '';
  }
}

/** Whether the response contains the noun or the value of a field. */
function isNamed(name: string, given: Input, answer: string): boolean {
  if (nouns.get(name)?.test(answer)) return true;
  const value = given[name];
  return nouns.has(name) && typeof value === 'string' && value.length > 2 && answer.includes(value);
}

const organization = /organi[sz]ation/i;
const namespace = /namespace|repository|NAME_UNKNOWN/i;
const revision = /\b(revision|tag|manifest)s?\b|MANIFEST_UNKNOWN/i;
const target = /\btargets?\b|gen.?lock/i;

/** The nouns that services use for a parameter. */
const nouns: ReadonlyMap<string, RegExp> = new Map([
  ['workspace_id', /workspace/i],
  ['organizationID', organization],
  ['organization_id', organization],
  ['userId', /\b(user|member)\b/i],
  ['target_id', target],
  ['generate_gen_lock_id', target],
  ['namespace_name', namespace],
  ['namespaceName', namespace],
  ['revision_reference', revision],
  ['revision_digest', revision],
  ['tokenID', /\btokens?\b/i],
  ['add_on', /add.?on/i],
  ['jobID', /\bjobs?\b/i],
  ['subscriptionID', /subscription/i],
  ['documentChecksum', /report|checksum/i],
  ['digest', /\bblob|BLOB_UNKNOWN/i],
]);
