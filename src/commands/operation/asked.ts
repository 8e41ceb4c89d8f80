/** Runs an operation, after prompts for missing values on a terminal. */
import type { ParsedArguments } from '../../input/read.ts';
import { type Invocation, openInvocation } from '../../invocation/invocation.ts';
import type { Operation } from '../../operations/operation.ts';
import { checkOutput } from '../../output/write-result.ts';
import { isUnsent } from '../../settings/global-flags.ts';
import type { Asked } from './pick.ts';
import { runOperation } from './run.ts';

/** What is needed to run an operation, from the command line or from commands such as `dtp api`. */
export type InvocationSource = Pick<Invocation, 'context' | 'globals' | 'openPrompts'>;

export async function runWithPrompts(from: InvocationSource, operation: Operation, typed: ParsedArguments) {
  const { context, globals, openPrompts } = from;
  if (typed.flow.skeleton) {
    const { skeleton } = await import('./skeleton.ts');
    const invocation = await openInvocation(context, { globals, way: { collectFaults: true } });
    await checkOutput(invocation.context, invocation.output);
    return { invocation, result: skeleton(invocation, operation) };
  }
  const asked = await withPicked(from, operation, typed);
  const { given } = asked;
  const invocation = await openInvocation(context, { argv: given.argv, globals: asked.globals, openPrompts });
  return { invocation, result: await runOperation(invocation, operation, given) };
}

/** Returns the input with what the user picked. The code of the prompts is only loaded if the user can answer them. */
export async function withPicked(from: InvocationSource, operation: Operation, given: ParsedArguments): Promise<Asked> {
  const { context, globals, openPrompts } = from;
  const asked = { given, globals };
  const prompts = isUnsent(globals) ? undefined : openPrompts();
  if (!prompts) return asked;
  const { pickMissing } = await import('./pick.ts');
  return pickMissing({ context, prompts }, operation, asked);
}
