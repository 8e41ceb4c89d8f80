/** The connections of a server: opened when a call needs one, and kept for those after it. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Connection, connect } from '../connection.ts';
import type { Globals } from '../globals.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';

export interface Connections {
  /** `work` over the connection of these settings. */
  readonly use: <T>(
    operation: Operation,
    settings: Settings,
    work: (connection: Connection) => Promise<T>,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly connection: Promise<Connection>;
  users: number;
}

export function openConnections(context: Context, globals: Globals, log: Log): Connections {
  const kept = new Map<string, Held>();
  const closed = ({ connection }: Held) =>
    connection.then(
      (one) => one.close(),
      // What could not be opened needs no closing.
      () => undefined,
    );
  return {
    use: async (operation, settings, work) => {
      const key = keyOf(operation, settings);
      const held = kept.get(key) ?? {
        connection: connect({ context, settings, globals, operation, log }),
        users: 0,
      };
      kept.set(key, held);
      held.users++;
      try {
        return await work(namedBy(await held.connection, settings));
      } catch (error) {
        // The next call looks for a credential anew: the user may have logged in meanwhile.
        if (isStale(error) && kept.get(key) === held) kept.delete(key);
        throw error;
      } finally {
        held.users--;
        if (held.users === 0 && kept.get(key) !== held) await closed(held);
      }
    },
    close: async () => {
      await Promise.all([...kept.values()].map(closed));
    },
  };
}

/** The connection as a call uses it: the workspace that is named is the call's. */
const namedBy = (connection: Connection, settings: Settings): Connection => ({
  ...connection,
  sendFor: (operation, own = settings) => connection.sendFor(operation, own),
  checkWorkspace: (operation, signal, own = settings) => connection.checkWorkspace(operation, signal, own),
});

const isStale = (error: unknown) =>
  error instanceof DtpError && (error.code === 'auth' || error.code === 'config');

/** All that a connection is made of. The embedded service is one for all operations. */
function keyOf(operation: Operation, { profile, stored, values, untrusted }: Settings): string {
  const { workspace: _, organization_slug: __, workspace_slug: ___, ...made } = values;
  const isLocal = made.base_url?.value.startsWith('local:');
  return JSON.stringify([profile, stored, made, untrusted, isLocal ? 0 : (operation.timeout ?? 0)]);
}
