/** The connections of a server: opened when a call needs one, and kept for those after it. */
import { type Connection, connect, type Wanted } from '../invocation/connect.ts';
import type { Settings } from '../settings/resolve.ts';

export interface Connections {
  /** One for a call, which the call closes when it needs it no more: the next may have it then. */
  readonly take: (wanted: Wanted) => Promise<Connection>;
  /** The next call gets another: the user may log in meanwhile. */
  readonly forget: (wanted: Pick<Wanted, 'operation' | 'settings'>) => void;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly connection: Promise<Connection>;
  users: number;
}

export function openConnections(): Connections {
  const kept = new Map<string, Held>();
  const closed = ({ connection }: Held) =>
    connection.then(
      (one) => one.close(),
      // What could not be opened needs no closing.
      () => undefined,
    );
  return {
    take: async (wanted) => {
      const key = keyOf(wanted);
      const held = kept.get(key) ?? { connection: connect(wanted), users: 0 };
      kept.set(key, held);
      held.users++;
      const release = async () => {
        held.users--;
        if (held.users === 0 && kept.get(key) !== held) await closed(held);
      };
      try {
        return { ...namedBy(await held.connection, wanted.settings), close: release };
      } catch (error) {
        kept.delete(key);
        await release();
        throw error;
      }
    },
    forget: (wanted) => kept.delete(keyOf(wanted)),
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

/** All that a connection is made of. The embedded service is one for all operations. */
function keyOf({ operation, settings }: Pick<Wanted, 'operation' | 'settings'>): string {
  const { profile, stored, values, untrusted } = settings;
  const { workspace: _, organization_slug: __, workspace_slug: ___, ...made } = values;
  const isLocal = made.base_url?.value.startsWith('local:');
  return JSON.stringify([profile, stored, made, untrusted, isLocal ? 0 : (operation.timeout ?? 0)]);
}
