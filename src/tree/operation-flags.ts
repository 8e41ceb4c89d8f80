/** Derives the flags of an operation: one for each field, and one for each known field of a record in the body. */
import { type FieldType, type KnownField, memberTypes, typeOf } from '../operations/field-types.ts';
import { type Direction, type Field, fieldNamed, type Operation, type RecordField } from '../operations/operation.ts';
import { globalNames } from '../settings/global-flags.ts';
import { settingFields } from '../settings/keys.ts';
import { kebab, ownerFlag, repositoryFlag, wordOf } from './vocabulary.ts';

/** A flag of an operation: the type of its value, and the field of the input that it sets. */
export type Flag = FieldType & {
  /** The name without leading dashes, such as `created-at`. */
  readonly name: string;
  /** The name that is derived from the field, or one that is not a global flag, if it differs. It is valid too. */
  readonly earlier?: string;
  /** How messages call it: `--created-at`, or `FILE` if the value is an argument. */
  readonly label: string;
  /** The placeholder of the value, if its kind has another one. */
  readonly value?: string;
  readonly help: string;
  readonly field: string;
  /** The field inside `field` that the flag sets. Undefined if the flag sets `field` as a whole. */
  readonly member?: string;
  /** Whether a duration such as `1h` means a time in the past or in the future. */
  readonly direction?: Direction;
  /** Who sets the field if the user does not. Help hides the flags of fields that the service sets. */
  readonly setBy?: RecordField[2];
};

/** The accepted forms of a time, briefly, for the help of flags. */
export const timeForms: Readonly<Record<Direction, string>> = {
  past: '1h means an hour ago; also yesterday, 2026-01-31 or RFC 3339',
  future: '90d means in 90 days; also tomorrow, 2026-01-31 or RFC 3339',
};

/** Returns the path fields that are arguments, in the order of the path: those that no setting fills. */
export function argumentsOf(operation: Operation): readonly (readonly [name: string, field: Field])[] {
  return [...operation.path.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in settingFields))
    .map((name) => [name, fieldNamed(operation, name)] as const);
}

/** Returns the field that can be an argument after the path fields, or a flag. Empty without such a field. */
export const operandOf = (operation: Operation): readonly (readonly [name: string, field: Field])[] =>
  operation.operand === undefined ? [] : [[operation.operand, fieldNamed(operation, operation.operand)]];

/** Whether the user must set a field: no setting, default or file fills it in, and it is not the session id. */
export function isRequired(operation: Operation, name: string): boolean {
  const { required, default: usual, formatOf } = fieldNamed(operation, name);
  const isFilled = usual !== undefined || formatOf !== undefined || name in settingFields || name === 'x-session-id';
  return required === true && !isFilled;
}

/** Returns the values in one value of a flag. Commas may separate those of a flag that takes several known words. */
export const valuesIn = ({ many, is }: FieldType, text: string): readonly string[] =>
  many && is === 'enum' && text.includes(',') ? text.split(',').flatMap((one) => one.trim() || []) : [text];

export function flagsOf(operation: Operation): readonly Flag[] {
  const all = Object.entries(operation.input).flatMap(([name, field]): readonly Flag[] => {
    if (field.in === 'path' || (field.in === 'query' && name in settingFields)) return [];
    return [fieldFlag(operation, name, field), ...memberTypes(typeOf(field)).map((known) => memberFlag(name, known))];
  });
  const flags = all.some(({ name }) => name === repositoryFlag) ? all.map(asRepository) : all;
  return takesBody(operation) && !('body' in operation.input) ? [...flags, wholeBody] : flags;
}

/**
 * Returns the flags to suggest for a record: the flags of its required fields, or of all fields if no field is
 * required. Leaves out flags of fields that the service or the command sets, and boolean flags, which can be omitted.
 */
export function neededFlags(operation: Operation, name: string): readonly Flag[] {
  const flags = flagsOf(operation).filter(
    ({ field, member, kind, setBy }) => field === name && member && kind !== 'boolean' && setBy === undefined,
  );
  const required = flags.filter((flag) => flag.required);
  return required.length > 0 ? required : flags;
}

/** Whether the service sets some fields of the body. The API does not say which others it requires: any is enough. */
export const isWholeRecord = (operation: Operation, name: string): boolean =>
  flagsOf(operation).some(({ field, member, setBy }) => field === name && member !== undefined && setBy === 'service');

/** Whether `--body` can set the body of the operation. */
export const takesBody = (operation: Operation) =>
  Object.values(operation.input).some(({ in: place }) => place === 'member' || place === 'part' || place === 'body');

/** The end of the help of a flag that takes a document. */
const documentHelp = ': JSON or YAML, @FILE, or - for standard input';

const wholeBody: Flag = {
  is: 'plain',
  kind: 'json',
  many: false,
  nullable: false,
  required: false,
  name: 'body',
  label: '--body',
  field: 'body',
  help: `the whole request body${documentHelp}; field flags override its values`,
};

function fieldFlag({ operand }: Operation, name: string, field: Field): Flag {
  const type = typeOf(field);
  const word = field.flag ?? wordOf(name);
  return {
    ...type,
    ...namesOf(word, field.flag ?? kebab(name)),
    ...(name === operand && { label: word.toUpperCase() }),
    // The body is passed as one document, even if it is a list.
    many: type.many && field.in !== 'body',
    // The help of a batch already lists its formats, because batches support more formats than other documents.
    help: field.in === 'body' && !field.many ? `${field.help}${documentHelp}` : field.help,
    field: name,
    ...(field.direction && { direction: field.direction }),
  };
}

const namesOf = (name: string, own: string): Pick<Flag, 'name' | 'earlier' | 'label'> => {
  const earlier = globalNames.has(name) ? (otherNames.get(name) ?? `${name}-value`) : own;
  return { name, label: `--${name}`, ...(earlier !== name && { earlier }) };
};

/** `--repo OWNER/NAME` sets both fields of a repository, so messages about the owner name it too. */
function asRepository(flag: Flag): Flag {
  if (flag.name === ownerFlag) return { ...flag, label: `--${repositoryFlag}` };
  if (flag.name !== repositoryFlag) return flag;
  return { ...flag, value: 'owner/name', help: 'repository on the code host, such as acme/petstore' };
}

/** The other name of a flag that has the name of a global flag, if it is not `NAME-value`. */
const otherNames: ReadonlyMap<string, string> = new Map([['force', 'force-generation']]);

function memberFlag(field: string, [member, type, meaning, setBy]: KnownField): Flag {
  return {
    ...type,
    ...namesOf(wordOf(member), kebab(member)),
    help: type.nullable ? `${meaning}, or null` : meaning,
    field,
    member,
    ...(setBy && { setBy }),
  };
}
