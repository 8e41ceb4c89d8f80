/** Stores the SDK names of a document, which code samples of the same document use later. */
import { createHash } from 'node:crypto';
import type { Store } from '../data/store.ts';
import type { SdkNames } from './sdk-names.ts';

export type StoredNames = Readonly<Record<string, SdkNames>>;

export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

type Document = Readonly<Record<'spec' | 'packageName' | 'sdkClassname', string>>;

/** Stores the SDK names of a document. Replaces the names that the workspace stored with the same document before. */
export function storeNames(store: Store, workspaceId: string, document: Document): void {
  const names = { package_name: document.packageName, class_name: document.sdkClassname };
  const spec_sha256 = documentHash(document.spec);
  store.insert('sdk_names', { workspace_id: workspaceId, spec_sha256, ...names }, 'replace');
}

/** The maximum number of documents. All of their names are sent to the child process, which hashes the document. */
const LIMIT = 1000;

/** Returns the names that this workspace stored. Other workspaces could name a package that nobody here has chosen. */
export function storedNames(store: Store, workspaceId: string): StoredNames {
  const sql =
    'SELECT spec_sha256, package_name, class_name FROM sdk_names WHERE workspace_id = ? ORDER BY rowid DESC LIMIT ?';
  const named = store.all(sql, workspaceId, LIMIT).map(({ spec_sha256, package_name, class_name }) => {
    const names = { packageName: String(package_name), className: String(class_name) };
    return [String(spec_sha256), names] as const;
  });
  return Object.fromEntries(named);
}
