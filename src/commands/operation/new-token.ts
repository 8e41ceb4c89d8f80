/** Creating a workspace token: the service answers without the key, so that a person would have to look for it. */
import { call } from '../../invocation/call.ts';
import { isRecord, type JsonObject } from '../../json-object.ts';
import { operations } from '../../operations/index.ts';
import { doneOf } from '../../output/done.ts';
import type { Result } from '../../output/result.ts';
import type { Value } from '../../request/read.ts';
import { answer, type Sending } from './work.ts';

/**
 * Creates the token, and lists the tokens before and after that to find its key. If a list fails, the token is created
 * nevertheless, and the result says how to list it.
 */
export async function createToken(sending: Sending): Promise<Result> {
  const { operation, ask, deadline, input } = sending;
  const before = await tokensOf(sending);
  const value: Value = await ask({}, deadline.signal);
  const after = before && (await tokensOf(sending));
  const known = new Set(before?.map(({ id }) => id));
  const name = isRecord(input.body) ? input.body.name : undefined;
  const created = after
    ?.filter((token) => token.name === name && !known.has(token.id))
    .sort((one, other) => String(other.created_at).localeCompare(String(one.created_at)))[0];
  const result = answer(operation, value);
  if (typeof created?.key === 'string')
    return { ...result, alone: created.key, done: doneOf(operation, input, created) };
  return {
    ...result,
    notes: ['The key could not be fetched. To see it: dtp ws tokens list -o json'],
  };
}

/** The tokens of the workspace. Undefined if they cannot be listed. */
async function tokensOf({
  calls: { connection },
  deadline,
  input: { workspace_id },
}: Sending): Promise<readonly JsonObject[] | undefined> {
  try {
    const list = operations.getWorkspaceTokens;
    const found = await call(connection, list, { workspace_id }, deadline.signal);
    return found.kind === 'json' && Array.isArray(found.value) ? found.value.filter(isRecord) : undefined;
  } catch {
    deadline.signal.throwIfAborted();
    return undefined;
  }
}
