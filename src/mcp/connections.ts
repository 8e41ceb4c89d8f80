/** The connections of a server: opened when a call needs one, and reused by later calls. */
import { type Connection, connect, type Wanted } from '../invocation/connect.ts';
import type { Settings } from '../settings/resolve.ts';

export interface Connections {
  /** A connection for one call, which the call must close. It stays open for later calls. */
  readonly take: (wanted: Wanted) => Promise<Connection>;
  /** Makes the next call open a new connection, because the user may have logged in by then. */
  readonly forget: (wanted: Pick<Wanted, 'operation' | 'settings'>) => void;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly connection: Promise<Connection>;
  users: number;
}

export function openConnections(): Connections {
  const open = new Map<string, Held>();
  const closed = ({ connection }: Held) =>
    connection.then(
      (one) => one.close(),
      // A connection that failed to open needs no closing.
      () => undefined,
    );
  return {
    take: async (wanted) => {
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
    forget: (wanted) => open.delete(keyOf(wanted)),
    close: async () => {
      await Promise.all([...open.values()].map(closed));
    },
  };
}

/** The same connection, but it uses the settings of this call, which may select another workspace. */
const namedBy = (connection: Connection, settings: Settings): Connection => ({
  ...connection,
  sendFor: (operation, own = settings) => connection.sendFor(operation, own),
  checkWorkspace: (operation, signal, own = settings) => connection.checkWorkspace(operation, signal, own),
  workspaceId: (operation, signal, own = settings) => connection.workspaceId(operation, signal, own),
});

/** Everything that a connection depends on. The embedded service uses one connection for all operations. */
function keyOf({ operation, settings }: Pick<Wanted, 'operation' | 'settings'>): string {
  const { profile, stored, values, untrusted } = settings;
  const { workspace: _, organization_slug: __, workspace_slug: ___, ...made } = values;
  const isLocal = made.base_url?.value.startsWith('local:');
  return JSON.stringify([profile, stored, made, untrusted, isLocal ? 0 : (operation.timeout ?? 0)]);
}
