/** Manages the connections of a server. Opens a connection when a call needs it, and reuses it for later calls. */
import { connect } from '../invocation/connect.ts';
import type { Connection, ConnectOptions } from '../invocation/connection.ts';
import type { Settings } from '../settings/resolve.ts';

export type Connections = ReturnType<typeof openConnections>;

interface Held {
  readonly connection: Promise<Connection>;
  users: number;
}

export function openConnections() {
  const open = new Map<string, Held>();
  const closed = ({ connection }: Held) =>
    connection.then(
      (one) => one.close(),
      // A connection that failed to open does not have to be closed.
      () => undefined,
    );
  return {
    /** Returns a connection for one call. The call must close it, but the connection stays open for later calls. */
    take: async (wanted: ConnectOptions): Promise<Connection> => {
      const key = keyOf(wanted);
      const held = open.get(key) ?? { connection: connect(wanted), users: 0 };
      open.set(key, held);
      held.users++;
      const release = async () => {
        held.users--;
        if (held.users === 0 && open.get(key) !== held) await closed(held);
      };
      try {
        return { ...namedBy(await held.connection, wanted.settings), close: release };
      } catch (error) {
        open.delete(key);
        await release();
        throw error;
      }
    },
    /** Makes the next call open a new connection, because the user may log in before that call. */
    forget: (wanted: Pick<ConnectOptions, 'operation' | 'settings'>) => open.delete(keyOf(wanted)),
    close: async () => {
      await Promise.all([...open.values()].map(closed));
    },
  };
}

/** Returns the same connection with the settings of this call, which may select another workspace. */
const namedBy = (connection: Connection, settings: Settings): Connection => ({
  ...connection,
  sendFor: (operation, own = settings) => connection.sendFor(operation, own),
  checkWorkspace: (operation, signal, own = settings) => connection.checkWorkspace(operation, signal, own),
  workspaceId: (operation, signal, own = settings) => connection.workspaceId(operation, signal, own),
});

/** Returns a key of everything that a connection depends on. The embedded service has one for all operations. */
function keyOf({ operation, settings }: Pick<ConnectOptions, 'operation' | 'settings'>): string {
  const { profile, stored, values, untrusted } = settings;
  const { workspace: _, organization_slug: __, workspace_slug: ___, ...made } = values;
  const isLocal = made.base_url?.value.startsWith('local:');
  return JSON.stringify([profile, stored, made, untrusted, isLocal ? 0 : (operation.timeout ?? 0)]);
}
