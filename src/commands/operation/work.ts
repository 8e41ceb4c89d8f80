/** Defines what the steps of an operation pass on: the checked operation, and what is needed to send it. */
import type { ParsedArguments } from '../../input/read.ts';
import type { Ask, Calls } from '../../invocation/connection.ts';
import type { MovingDeadline } from '../../invocation/deadline.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { AnswerResult } from '../../output/result.ts';
import type { Value } from '../../request/read.ts';

/** A checked operation, about to be sent. */
export interface Work {
  readonly invocation: Invocation;
  readonly operation: Operation;
  readonly given: ParsedArguments;
  readonly input: Input;
  readonly calls: Calls;
}

/** An operation that is being sent, for the flows that make more than one request. */
export interface Sending extends Work {
  readonly ask: Ask;
  readonly deadline: MovingDeadline;
}

export const answer = (operation: Operation, value: Value): AnswerResult => ({ kind: 'answer', operation, value });
