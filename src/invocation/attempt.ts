/** What is known of a command that failed, to say what helps. */
import type { Context } from '../context.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { Settings } from '../settings/resolve.ts';
import type { Connection } from './connect.ts';

export interface Attempt {
  readonly context: Context;
  readonly operation: Operation;
  /** What the operation was given; absent if its input is not the user's, or is of another workspace. */
  readonly input?: Input | undefined;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly connection: Connection;
}
