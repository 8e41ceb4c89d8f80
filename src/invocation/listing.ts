/** Which lists show the right values of the parameter that a 404 is about. */

import type { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { operations } from '../operations/index.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { sameService } from '../settings/command-line.ts';
import { listFor, lists } from '../tree/lists.ts';
import { argumentsOf, flagsOf } from '../tree/operation-flags.ts';
import type { Attempt } from './attempt.ts';

/**
 * The words of the commands, with the values of their arguments, best first; none if nothing lists the parameter. The
 * parameter is the one that the service names, else the innermost of the path that has a list.
 */
export function listsFor(
  { facts }: DtpError,
  { operation, input, settings, globals }: Attempt,
): readonly (readonly string[])[] {
  if (!input) return [];
  const given: Input = { workspace_id: settings.values.workspace?.value, ...fieldsOf(input.body), ...input };
  const places = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  // A workspace stands above everything else, also where it is a query.
  const isOfWorkspace = 'workspace_id' in operation.input && !places.includes('workspace_id');
  const path = isOfWorkspace ? ['workspace_id', ...places] : places;
  const fields = [...flagsOf(operation).map(({ field, member }) => member ?? field), ...path];
  const said = wordsOf(facts.details);
  const named = fields.findLast((name) => isNamed(name, given, said));
  const failed = named ?? path.findLast((name) => listsOf(operation, name).length > 0);
  if (failed === undefined) return [];
  return listsOf(operation, failed).flatMap((list) => {
    const args = argumentsOf(list).map(([name]) => given[name]);
    if (list.id === operation.id || args.some((value) => typeof value !== 'string')) return [];
    const takesWorkspace = 'workspace_id' in list.input;
    // One that is wrong would stop the list as well.
    const isNamed =
      settings.values.workspace !== undefined && settings.values.workspace.source !== '--workspace';
    const reset = failed === 'workspace_id' && !takesWorkspace && isNamed ? ['-w', ''] : [];
    return [[...list.command, ...args.map(String), ...sameService(globals, takesWorkspace), ...reset]];
  });
}

function listsOf(operation: Operation, name: string): readonly Operation[] {
  // Its known values are typed, so completions need no list.
  if (name === 'add_on') return [operations.getBillingAddOns];
  const list = listFor(operation, alike.get(name) ?? name);
  if (list === 'revisions') return [operations.getTags, operations.getRevisions];
  return list === undefined ? [] : [lists[list].operation];
}

/** Fields of a body or a query that hold what is a parameter of a path elsewhere. */
const alike: ReadonlyMap<string, string> = new Map([
  ['revision_digest', 'revision_reference'],
  ['generate_gen_lock_id', 'target_id'],
]);

/** Characters of an answer that are looked at. */
const longest = 2000;

/** The service's words. HTML pages do not name parameters, and bodies that are nested too deeply are not read. */
function wordsOf(details: unknown): string {
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

/** By the noun of the field, or by its value. */
function isNamed(name: string, given: Input, said: string): boolean {
  if (nouns.get(name)?.test(said)) return true;
  const value = given[name];
  return nouns.has(name) && typeof value === 'string' && value.length > 2 && said.includes(value);
}

const namespace = /namespace|repository|NAME_UNKNOWN/i;
const revision = /\b(revision|tag|manifest)s?\b|MANIFEST_UNKNOWN/i;
const target = /\btargets?\b|gen.?lock/i;

/** What a service calls a parameter. */
const nouns: ReadonlyMap<string, RegExp> = new Map([
  ['workspace_id', /workspace/i],
  ['organizationID', /organi[sz]ation/i],
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
