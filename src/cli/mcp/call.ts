/** A tool call: arguments → input → request → send → result, as a command's, and no call ends the server. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import { buildRequest } from '../../request/build.ts';
import { exchange } from '../call.ts';
import { openDeadline } from '../deadline.ts';
import { advise } from '../explain.ts';
import { withSettings } from '../filled.ts';
import type { Globals } from '../globals.ts';
import { senderOf } from '../sender.ts';
import { resolveSettings, type Settings } from '../settings.ts';
import { verifiedValue } from '../verify.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Connections } from './connections.ts';
import { errorOf, resultOf, type ToolResult, withLimit } from './result.ts';
import type { Roots } from './roots.ts';

/** What all calls of a server share. */
export interface World {
  readonly context: Context;
  readonly globals: Globals;
  readonly roots: Roots;
  readonly connections: Connections;
  /** All that were ever used: who knew one may say it later, in an answer to somebody else. */
  readonly secrets: Set<string>;
}

/** Never throws: what fails is a result too. `signal` ends the call. */
export async function callTool(
  world: World,
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const context = { ...world.context, signal };
  try {
    const read = await readArguments(operation, given, context, world.roots);
    const globals = { ...world.globals, ...read.settings };
    const settings = await resolveSettings(context, globals);
    return await performed({ ...world, context, globals }, operation, read, settings);
  } catch (error) {
    return errorOf(told(error), [...world.secrets]);
  }
}

/** What is no failure that is known is a fault of ours. */
function told(error: unknown): DtpError {
  if (error instanceof DtpError) return error;
  return new DtpError('error', error instanceof Error ? error.message : String(error));
}

async function performed(
  { context, globals, connections, secrets }: World,
  operation: Operation,
  { input, query }: Arguments,
  settings: Settings,
): Promise<ToolResult> {
  const answered = (full: Input) => ({ operation, input: full, globals, query, secrets: [...secrets] });
  if (operation.flow === 'spool') {
    const { postEvents } = await import('./post.ts');
    const outcome = await postEvents(context, operation, input, globals);
    return resultOf(answered(input), outcome);
  }
  return connections.use(operation, settings, async (connection) => {
    const deadline = openDeadline(context, operation, settings);
    const keepSecrets = () => {
      for (const secret of connection.secrets) secrets.add(secret);
    };
    try {
      const full = await withSettings(operation, input, settings, connection, deadline.signal);
      const sender = await senderOf(context, operation, full, connection, deadline.signal);
      const asked = withLimit(operation, full, query);
      const request = buildRequest(operation, asked, connection.target, () => `dtp-${context.uuid()}`);
      const value = await exchange(deadline.moving(sender), operation, request, deadline.signal);
      keepSecrets();
      return await resultOf(answered(full), verifiedValue(operation, full, value));
    } catch (error) {
      throw advise(error, { context, operation, input, settings, globals, connection });
    } finally {
      keepSecrets();
      deadline.end();
    }
  });
}
