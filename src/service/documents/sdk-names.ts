/** Derives the SDK names of a document's operations: a resource, and a method that is unique in the resource. */
import { stringOf } from '../../json-object.ts';
import type { DescribedOperation } from './document.ts';
import { camelCase, capitalize, groupOf, nameWordsOf, operationName } from './naming.ts';

/** The names of the package and the class. The other name is derived if only one is given. */
export interface SdkNames {
  readonly packageName?: string | undefined;
  readonly className?: string | undefined;
}

export type SdkMethod = ReturnType<typeof describedMethod>;

/** How a language writes names. */
export interface NameStyle {
  readonly join: (words: readonly string[]) => string;
  /** Keywords of the language, and names that code samples already use. */
  readonly reserved: ReadonlySet<string>;
}

const JAVASCRIPT = `await break case catch class console const continue debugger default delete do else enum export
  extends false finally for function if implements import in instanceof interface let new null openAsBlob package
  private process protected public result return static super switch this throw true try typeof var void while with
  yield`;

const PYTHON = `and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not open or os pass print raise result return self try while with yield`;

export const camel: NameStyle = { join: camelCase, reserved: new Set(JAVASCRIPT.split(/\s+/)) };
export const snake: NameStyle = { join: (words) => words.join('_'), reserved: new Set(PYTHON.split(/\s+/)) };

/** Builds an identifier from words, or from `fallback` if there are no words. */
export function nameIn(style: NameStyle, words: readonly string[], fallback: string): string {
  const name = style.join(words) || fallback;
  const started = /^\p{N}/u.test(name) ? `_${name}` : name;
  return style.reserved.has(started) ? `${started}_` : started;
}

/** The resource comes from `x-group`, an operation id such as `issues/create` or `issues.create`, a tag or the path. */
function describedMethod({ method, path, operation, id }: DescribedOperation) {
  const parts = id.split(/[/.]/).filter((part) => nameWordsOf(part).length > 0);
  const tag = Array.isArray(operation.tags) ? stringOf(operation.tags[0]) : '';
  const prefix = parts.length > 1 ? parts.slice(0, -1).join(' ') : '';
  const resource = nameWordsOf(stringOf(operation['x-group']) || prefix || tag);
  const own = nameWordsOf(stringOf(operation['x-method-name']) || (parts.at(-1) ?? ''));
  return {
    resource: resource.length > 0 ? resource : nameWordsOf(groupOf(path)),
    method: own.length > 0 ? own : nameWordsOf(operationName(method, path)),
  };
}

/** Returns the method of each operation, in order. A name that is already taken gets a number. */
export function sdkMethods(operations: readonly DescribedOperation[]): readonly SdkMethod[] {
  const taken = new Set<string>();
  return operations.map((operation) => {
    const { resource, method } = describedMethod(operation);
    const key = (words: readonly string[]) => `${resource.join(' ')}/${words.join(' ')}`;
    let free = method;
    for (let number = 2; taken.has(key(free)); number++) free = [...method, String(number)];
    taken.add(key(free));
    return { resource, method: free };
  });
}

/** Returns the given class name without invalid characters, or else a name derived from the package. */
export function classOf({ className = '', packageName = '' }: SdkNames): string {
  const given = className.replace(/[^\p{L}\p{N}_]/gu, '').replace(/^(?=\p{N})/u, '_');
  const name = given || capitalize(camelCase(nameWordsOf(packageName.split('/').at(-1) ?? ''))) || 'SDK';
  return camel.reserved.has(name) || snake.reserved.has(name) || /^\p{N}/u.test(name) ? `_${name}` : name;
}

/** Returns the given package name, or else a name derived from the class. */
export const packageOf = ({ className = '', packageName = '' }: SdkNames): string =>
  packageName.replace(/\s+/g, ' ').trim() || nameWordsOf(className).join('-') || 'sdk';

/** Returns the name of the variable for the client. It must differ from the name of the class. */
export function clientVariableOf(style: NameStyle, className: string): string {
  const name = style.join(nameWordsOf(className));
  return name === '' || name === className || style.reserved.has(name) || /^\p{N}/u.test(name) ? 'client' : name;
}
