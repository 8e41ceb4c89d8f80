/** An operation as it was typed: a person is first asked to choose what is missing. */
import type { Context } from '../../context.ts';
import type { Given } from '../../input/read.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Result } from '../../output/result.ts';
import { checkOutput } from '../../output/write-result.ts';
import { mayAsk } from '../../prompt/confirm.ts';
import { type Globals, isUnsent } from '../../settings/global-flags.ts';
import { runOperation } from './run.ts';

/** Asks for what is missing, opens the invocation and runs the operation. */
export async function runAsked(
  context: Context,
  operation: Operation,
  typed: Given,
  globals: Globals,
): Promise<{ readonly invocation: Invocation; readonly result: Result }> {
  if (typed.flow.skeleton) {
    const { skeleton } = await import('./skeleton.ts');
    const invocation = await openInvocation(context, { globals, way: { mending: true } });
    await checkOutput(invocation.output);
    return { invocation, result: skeleton(invocation, operation) };
  }
  const asked = await withPicked(context, operation, { given: typed, globals });
  const { given } = asked;
  const invocation = await openInvocation(context, { argv: given.argv, globals: asked.globals });
  return { invocation, result: await runOperation(invocation, operation, given) };
}

interface Asked {
  readonly given: Given;
  readonly globals: Globals;
}

/** The question is loaded only where there is somebody to answer it. */
async function withPicked(context: Context, operation: Operation, asked: Asked): Promise<Asked> {
  if (!mayAsk(context, asked.globals) || isUnsent(asked.globals)) return asked;
  const { pickMissing } = await import('../../prompt/pick.ts');
  return pickMissing(context, operation, asked);
}
