/** Collects all operations, in the order of the API document. To read those of one noun, areas.ts loads less. */
import { type Noun, nounsOfOperations, type OperationsOf, operationsFor } from './areas.ts';
import type { InputOf, Operation } from './operation.ts';

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type Operations = Together<{ readonly [N in Noun]: OperationsOf<N> }[Noun]>;

export const operations = Object.assign({}, ...nounsOfOperations.map(operationsFor)) as Operations;

export const allOperations: readonly Operation[] = Object.values(operations);

export type OperationId = keyof Operations;
export type OperationInput<Id extends OperationId> = InputOf<Operations[Id]>;
