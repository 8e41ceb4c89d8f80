/** Defines the data about a failed command that its hint is made from. */
import type { Input } from '../operations/operation.ts';
import type { Connection, ConnectOptions } from './connection.ts';

export interface Attempt extends Pick<ConnectOptions, 'context' | 'operation' | 'settings' | 'globals'> {
  /** The user's input. Undefined if the failed request does not use the user's input. */
  readonly input?: Input | undefined;
  readonly connection: Connection;
}
