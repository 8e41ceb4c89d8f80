/** The SDK names that a workspace stored with a document: code samples of the same document use them. */
import { createHash } from 'node:crypto';
import type { Store } from '../data/store.ts';
import type { SdkNames } from './sdk-names.ts';

/** By the SHA-256 of the document's text. */
export type StoredNames = Readonly<Record<string, SdkNames>>;

export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

interface StoredDocument {
  readonly spec: string;
  readonly packageName: string;
  readonly sdkClassname: string;
}

/** The names of the document that was stored last count. */
export function storeNames(store: Store, workspaceId: string, document: StoredDocument): void {
  store.run(
    'INSERT OR REPLACE INTO sdk_names (workspace_id, spec_sha256, package_name, class_name) VALUES (?, ?, ?, ?)',
    workspaceId,
    documentHash(document.spec),
    document.packageName,
    document.sdkClassname,
  );
}

/** More documents than a workspace has. All of them are sent to the process that knows the document's text. */
const LIMIT = 1000;

/** Never those of another workspace, which could lead to a package that nobody here has chosen. */
export function storedNames(store: Store, workspaceId: string): StoredNames {
  const rows = store.all(
    'SELECT spec_sha256, package_name, class_name FROM sdk_names WHERE workspace_id = ? ORDER BY rowid DESC LIMIT ?',
    workspaceId,
    LIMIT,
  );
  return Object.fromEntries(
    rows.map((row) => [
      String(row.spec_sha256),
      { packageName: String(row.package_name), className: String(row.class_name) },
    ]),
  );
}
