/** Looks up the ids of things that the user selected by name, with the operation that lists these things. */
import { DtpError, withFacts } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import type { Input } from '../operations/operation.ts';
import type { Named } from '../render/short.ts';
import { buildRequest } from '../request/build.ts';
import type { Value } from '../request/read.ts';
import { sameService } from '../settings/command-line.ts';
import type { Setting } from '../settings/resolve.ts';
import { type LookUp, workspaceLookUp } from '../tree/lists.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { exchange } from './call.ts';
import { withSettings } from './fill.ts';
import type { Invocation } from './invocation.ts';
import type { WithIds } from './names-input.ts';
import { type Thing, theOne, thingsIn } from './names-match.ts';
import { type Unknown, withIdOf } from './names-shape.ts';
import type { Calls } from './over.ts';
import type { Wire } from './workspace-check.ts';

/**
 * Looks up `unknowns`, which are the values in `given` that are not ids, and replaces them with ids. Throws like
 * `withIds`.
 */
export async function lookedUp(
  { settings, globals, argv }: Pick<Invocation, 'settings' | 'globals' | 'argv'>,
  unknowns: readonly Unknown[],
  given: Input,
  { connection, begin }: Calls,
): Promise<WithIds> {
  let input = given;
  const names: Record<string, Named> = {};
  for (const unknown of unknowns) {
    const { field, value, lookUp } = unknown;
    const list = lookUp.operation;
    const deadline = begin(list);
    try {
      const { signal } = deadline;
      const ask = async (more: Input) => {
        const full = await withSettings(list, { ...input, ...more }, { settings, connection, signal });
        const own = Object.fromEntries(Object.entries(full).filter(([name]) => name in list.input));
        const request = buildRequest(list, own, connection.target);
        return exchange(await connection.sendFor(list), list, request, signal);
      };
      const things = await thingsOf(lookUp, value, ask);
      const words = argumentsOf(list).map(([name]) => String(input[name]));
      const service = sameService(globals, 'workspace_id' in list.input);
      const one = theOne({ value, lookUp, list: [...list.command, ...words, ...service], argv }, things);
      input = withIdOf(unknown, input, one.id);
      names[field] = { id: one.id, name: nameOf(one, value) };
    } finally {
      deadline.end();
    }
  }
  return { input, names };
}

/**
 * Returns the user's name for a thing, or else its first name. A digest is shown as a tag only if the user typed the
 * tag.
 */
const nameOf = ({ id, names }: Thing, value: string): string => {
  if (names.includes(value)) return value;
  return (id.includes(':') ? undefined : names[0]) ?? id;
};

/** Returns the id of the workspace that a setting names. Throws like `withIds`. */
export async function workspaceIdOf(
  { value }: Setting,
  wire: Pick<Wire, 'target' | 'sendUnchecked' | 'typed'>,
  signal: AbortSignal,
): Promise<string> {
  const lookUp = workspaceLookUp;
  const list = lookUp.operation;
  const things = await thingsOf(lookUp, value, async () => {
    // The workspace check does not apply, because this request finds out which workspace is meant.
    const send = await wire.sendUnchecked(list);
    return exchange(send, list, buildRequest(list, {}, wire.target), signal);
  });
  const { argv = [], service = [] } = wire.typed ?? {};
  return theOne({ value, lookUp, list: [...list.command, ...service], argv }, things).id;
}

/** Fetches the things in a list. All pages are read, because a name must be unique in the whole list. */
async function thingsOf(
  lookUp: LookUp,
  value: string,
  ask: (more: Input) => Promise<Value>,
): Promise<readonly Thing[]> {
  try {
    const rows: unknown[] = [];
    const seen = new Set<string>();
    for (let token: string | undefined; ; ) {
      const answer = await ask(token === undefined ? {} : { next_page_token: token });
      if (answer.kind !== 'json') throw notAList(lookUp);
      const { rows: name } = lookUp.operation;
      const page = name === undefined ? answer.value : fieldsOf(answer.value)[name];
      // Services may send null for an empty list.
      if (!Array.isArray(page ?? [])) throw notAList(lookUp);
      rows.push(...(Array.isArray(page) ? page : []));
      const { next_page_token: next } = fieldsOf(answer.value);
      if (typeof next !== 'string' || next === '' || seen.has(next)) return thingsIn(rows, lookUp);
      seen.add(next);
      token = next;
    }
  } catch (error) {
    throw withReason(error, value, lookUp);
  }
}

const notAList = ({ noun, operation }: LookUp) =>
  new DtpError('bad_response', `the service did not send a list of ${noun}s`, { operation: operation.id });

/** Adds to a failure why the list was requested, and that no list is needed for an id. */
function withReason(error: unknown, value: string, { noun }: LookUp): unknown {
  if (!(error instanceof DtpError)) return error;
  const why = `dtp listed all ${noun}s to find "${value}". To avoid this, pass the id of the ${noun}.`;
  return withFacts(error, { why });
}
