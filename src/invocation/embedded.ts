/** The embedded service in process: behind the base address `local:`. */
import { join } from 'node:path';
import { messageOf } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Words } from '../operations/words.ts';
import type { Log } from '../output/log.ts';
import type { Send } from '../request/http.ts';
import type { Store } from '../service/data/store.ts';
import { createService } from '../service/service.ts';
import { firstKey, seed } from '../service/tenancy/seed.ts';
import { withWords } from '../service/words.ts';
import type { SettingKey } from '../settings/keys.ts';
import { dataFolder } from '../system/folders.ts';

export interface Embedded {
  readonly send: Send;
  /** A workspace token of the store: whoever may read the file may use it. */
  readonly key: string;
  readonly known: Readonly<Partial<Record<SettingKey, string>>>;
  readonly close: () => Promise<void>;
}

interface EmbeddedOptions {
  /** The store; `:memory:` for one that leaves nothing behind. */
  readonly file?: string | undefined;
  /** The words of deployments that it understands beside the document's. */
  readonly words?: readonly Words[];
}

/** Opens the store, seeded where it is fresh. Throws `config` where the store cannot be opened, or its driver not loaded. */
export async function openEmbedded(
  context: Context,
  log: Log,
  { file = storeFile(context), words = [] }: EmbeddedOptions = {},
): Promise<Embedded> {
  const [{ openStore }, { narrow }] = await Promise.all([loadStore(), import('../store/modes.ts')]);
  // It holds keys. Windows knows no modes.
  if (file !== ':memory:' && context.runtime.platform !== 'win32')
    for (const part of ['', '-wal', '-shm']) {
      const told = narrow(file + part, 0o600);
      if (told !== undefined) log.warn(told);
    }
  const store = opened(openStore, file, context.date());
  const first = firstKey(store);
  return {
    send: withWords(createService(store, { now: () => context.date().getTime() }).handle, words),
    key: first.key,
    known: {
      workspace: first.workspaceId,
      workspace_slug: first.workspaceSlug,
      organization_slug: first.organizationSlug,
    },
    close: async () => store.close(),
  };
}

/** The driver is native, and an optional dependency: it may be missing, or not be made for this machine. */
async function loadStore() {
  try {
    return await import('../service/data/store.ts');
  } catch (error) {
    const [why] = messageOf(error).split('\n');
    throw new DtpError('config', `the embedded service cannot load its database driver: ${why}`, {
      hint: 'Install dtp with its optional dependencies, on a platform that libsql is made for. All else works without.',
      cause: error,
    });
  }
}

function opened(openStore: (file: string) => Store, file: string, now: Date): Store {
  try {
    const store = openStore(file);
    seed(store, now);
    return store;
  } catch (error) {
    const message = messageOf(error);
    const isBroken = /not a database|malformed/.test(message);
    const mend = isBroken
      ? 'Move the file away to begin anew'
      : 'Check the space on the disk and the permissions';
    throw new DtpError('config', `the embedded service cannot open ${file}: ${message}`, {
      hint: `${mend}, or name another folder with DTP_DATA_DIR.`,
      cause: error,
    });
  }
}

const storeFile = (context: Context) => join(dataFolder(context), 'service.db');
