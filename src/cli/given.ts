/**
 * Reads what a command line gives an operation: each flag by its present name, and the parts of a word that stands for
 * two fields, such as `acme/petstore` or `petstore:v1`.
 */
import { attributeOf } from '../declarations/flag.ts';
import { DtpError } from '../errors.ts';
import type { ParsedArguments } from '../input/read.ts';
import type { Operation } from '../operations/operation.ts';
import { flowDefaults } from '../tree/flow-flags.ts';
import { argumentsOf, flagsOf, operandOf } from '../tree/operation-flags.ts';
import { ownerFlag, repositoryFlag, repositoryIn } from '../tree/vocabulary.ts';
import type { Parsed } from './commander.ts';

type FlagValue = ParsedArguments['flags'][string];

/** A value, and how the user named it. */
type Named = readonly [name: string, value: FlagValue];

/** The values that were given, by the present names of their flags. */
type Flags = Map<string, Named>;

/** Throws `usage` if a value is given twice in different ways. */
export function givenOf(operation: Operation, { args, values }: Parsed, argv: readonly string[]): ParsedArguments {
  const paths = argumentsOf(operation).length;
  const [[operand] = ['']] = operandOf(operation);
  const flags: Flags = new Map();
  for (const { name, earlier = name, field } of flagsOf(operation)) {
    if (field === operand) add(flags, name, [`"${args[paths]}"`, args[paths]]);
    for (const one of new Set([name, earlier])) add(flags, name, [`--${one}`, values[attributeOf(one)]]);
  }
  splitRepository(operation, flags, values);
  const words = splitRevision(operation, args.slice(0, paths), flags);
  const flow = { ...flowDefaults(operation), ...values };
  const given = { argv, args: words, flags: Object.fromEntries([...flags].map(([name, [, value]]) => [name, value])) };
  const file = args[paths];
  if (operation.flow !== 'summary' || file === undefined) return { ...given, flow };
  if (values.schema !== undefined) throw twice(`"${file}"`, '--schema');
  return { ...given, flow: { ...flow, schema: file } };
}

/** Adds a value. Values of a flag that may be repeated are joined. */
function add(flags: Flags, name: string, [label, value]: Named): void {
  const [other, before] = flags.get(name) ?? [];
  if (value === undefined) return;
  if (other === undefined || before === undefined) flags.set(name, [label, value]);
  else if (Array.isArray(value) && Array.isArray(before)) flags.set(name, [label, [...before, ...value]]);
  else throw twice(other, label);
}

const twice = (one: string, other: string) => new DtpError('usage', `pass either ${one} or ${other}, not both`);

/**
 * `--repo acme/petstore`, or the URL of that repository, sets both of its fields. With `--org`, or with the field `org`
 * in -F or -f, the value is only the name, even if it has a slash. Throws `usage` without an owner. A body may have
 * one.
 */
function splitRepository(operation: Operation, flags: Flags, { field, rawField }: Parsed['values']): void {
  const [label, repository] = flags.get(repositoryFlag) ?? [];
  const hasOwner = flagsOf(operation).some(({ name }) => name === ownerFlag);
  const isOwnerGiven =
    flags.has(ownerFlag) || [field ?? [], rawField ?? []].flat().some((one) => /^org=/.test(String(one)));
  if (!hasOwner || isOwnerGiven || label !== `--${repositoryFlag}`) return;
  const found = repositoryIn(String(repository));
  if (!found && flags.has('body')) return;
  if (!found)
    throw new DtpError('usage', `${label} must be OWNER/NAME, not "${repository}"`, {
      hint: 'Pass the owner of the repository too, such as acme/petstore.',
    });
  flags.set(ownerFlag, [label, found.owner]);
  flags.set(repositoryFlag, [label, found.name]);
}

/** The word for the revision of a namespace. */
const revision = 'revision';

/**
 * `petstore:v1` and `petstore@sha256:…` are a namespace and a revision, unless another argument or a flag is the
 * revision. No namespace has a colon or an at sign.
 */
function splitRevision(operation: Operation, args: readonly string[], flags: Flags): readonly string[] {
  const [[first] = [], [second] = []] = argumentsOf(operation);
  const [, namespace, sign, reference] = /^([^@:]+)([@:])(.+)$/.exec(args[0] ?? '') ?? [];
  if (first !== 'namespace_name' || namespace === undefined) return args;
  if (flagsOf(operation).some(({ name }) => name === revision) && !flags.has(revision)) {
    add(flags, revision, [`"${args[0]}"`, reference]);
    return [namespace, ...args.slice(1)];
  }
  if (second === undefined || args.length > 1 || (second === 'digest' && sign === ':')) return args;
  return [namespace, reference ?? ''];
}
