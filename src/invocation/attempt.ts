/** The facts about a failed command from which its hint is made. */
import type { Context } from '../context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { Settings } from '../settings/resolve.ts';
import type { Connection } from './connect.ts';

export interface Attempt {
  readonly context: Context;
  readonly operation: Operation;
  /** The user's input. Undefined if the input is not the user's or belongs to another workspace. */
  readonly input?: Input | undefined;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly connection: Connection;
}
