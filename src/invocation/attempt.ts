/** Defines the data about a failed command that its hint is made from. */
import type { Context } from '../context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { Settings } from '../settings/resolve.ts';
import type { Connection } from './connection.ts';

export interface Attempt {
  readonly context: Context;
  readonly operation: Operation;
  /** The user's input. Undefined if the failed request does not use the user's input. */
  readonly input?: Input | undefined;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly connection: Connection;
}
