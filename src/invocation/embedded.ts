/** Opens the embedded service (`local:`). */
import { join } from 'node:path';
import { messageOf } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { checkedFolder } from '../files/boundary.ts';
import { checkOwnFile } from '../files/own.ts';
import type { Words } from '../operations/words.ts';
import { faultReport, type Log } from '../output/log.ts';
import type { Store } from '../service/data/store.ts';
import { createService } from '../service/service.ts';
import { firstKey, seed } from '../service/tenancy/seed.ts';
import { withWords } from '../service/words.ts';
import { dataFolder } from '../system/folders.ts';
import { checkRootOwns } from '../system/owner.ts';

export type Embedded = Awaited<ReturnType<typeof openEmbeddedService>>;

interface EmbeddedOptions {
  /** The file of the store, or `:memory:`. */
  readonly file?: string | undefined;
  /** The words in paths that the service accepts in addition to those of the API document. */
  readonly words?: readonly Words[];
  /** The first token of a new store. */
  readonly ownerKey?: string | undefined;
}

/** Opens the store, and seeds it if it is new. Throws `config` if the store or its database driver cannot be loaded. */
export async function openEmbeddedService(
  context: Context,
  log: Log,
  { file = storeFile(context), words = [], ownerKey }: EmbeddedOptions = {},
) {
  let isNew = false;
  const store = await openStoreFile(context, log, file, (opening) => {
    isNew = seed(opening, context.date(), ownerKey);
  });
  const first = firstKey(store);
  return {
    store,
    send: withWords(createService(store, { now: () => context.date().getTime(), report: faultReport(log) }), words),
    /** A workspace token from the store. Anyone who can read the file of the store can use the token. */
    key: first.key,
    /** Whether this process has created the key. */
    isNew,
    known: {
      workspace: first.workspaceId,
      workspace_slug: first.workspaceSlug,
      organization_slug: first.organizationSlug,
    },
    close: async () => store.close(),
  };
}

/** Opens the store, and calls `fill` with it. Without `fill`, no tables are created. Throws like `openEmbeddedService`. */
export async function openStoreFile(
  context: Context,
  log: Log,
  file: string,
  fill?: (store: Store) => unknown,
): Promise<Store> {
  const [{ openStore }, { narrowMode: narrow }] = await Promise.all([loadStore(), import('../store/modes.ts')]);
  // Only the owner may access the files, because they contain keys. Windows has no permission bits.
  if (file !== ':memory:' && context.runtime.platform !== 'win32')
    for (const part of ['', '-wal', '-shm']) {
      const warning = narrow(file + part, 0o600);
      if (warning !== undefined) log.warn(warning);
    }
  return opened(file, () => {
    const store = openStore(file, undefined, fill !== undefined);
    fill?.(store);
    return store;
  });
}

/** Loads the store. Its driver is a native, optional dependency, which may be missing or not support this machine. */
const loadStore = () =>
  import('../service/data/store.ts').catch((error: unknown) => {
    const [why] = messageOf(error).split('\n');
    throw new DtpError('config', `the embedded service cannot load its database driver: ${why}`, {
      hint: 'Install dtp with its optional dependencies, on a platform that libsql supports. Everything else works without it.',
      cause: error,
    });
  });

function opened(file: string, open: () => Store): Store {
  try {
    return open();
  } catch (error) {
    const message = messageOf(error);
    const isBroken = /not a database|malformed/.test(message);
    const usual = isBroken
      ? 'To start again, move the file to another folder'
      : 'Check the disk space and the permissions';
    const fix = Reflect.get(Object(error), 'fix') ?? usual;
    throw new DtpError('config', `the embedded service cannot open ${file}: ${message}`, {
      hint: `${fix}, or choose another folder with DTP_DATA_DIR.`,
      cause: error,
    });
  }
}

/**
 * Returns the path of the store, in the folder of --data or in the default folder. Throws `usage` if a link at the path
 * of one of its files leads out of a repository.
 */
export function storeFile(context: Context, data?: string): string {
  const folder =
    data === undefined ? checkRootOwns(dataFolder(context)) : checkedFolder(context, data, `--data: ${data}`);
  for (const name of ['', '-wal', '-shm', '-journal'].map((part) => `service.db${part}`))
    if (data === undefined) checkOwnFile(context, 'data', name);
    else checkedFolder(context, join(data, name), `--data: ${join(data, name)}`);
  return join(folder, 'service.db');
}
