/** The secrets that publishing a target needs, and which of them are stored. Their values are never returned. */
import type { Scope } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { sign } from '../tenancy/signature.ts';
import { languageOf } from './targets.ts';

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  typescript: ['NPM_TOKEN'],
  python: ['PYPI_TOKEN'],
  java: ['OSSRH_USERNAME', 'OSSRH_PASSWORD', 'JAVA_GPG_SECRET_KEY', 'JAVA_GPG_PASSPHRASE'],
  csharp: ['NUGET_API_KEY'],
  ruby: ['RUBYGEMS_AUTH_TOKEN'],
  php: ['PACKAGIST_USERNAME', 'PACKAGIST_TOKEN'],
  terraform: ['TERRAFORM_GPG_PRIVATE_KEY', 'TERRAFORM_GPG_PASSPHRASE'],
  // A Go module needs no secret: it is published with a Git tag.
  go: [],
};

/** The required secrets depend on the language that the target was last generated in. */
export function missingSecrets({ store, caller }: Scope, genLockId: string): readonly string[] {
  const language = languageOf(store, caller.workspaceId, genLockId) ?? '';
  const required = (Object.hasOwn(REQUIRED, language) && REQUIRED[language]) || ['NPM_TOKEN'];
  const stored = store
    .all(
      'SELECT name FROM codehost_secrets WHERE workspace_id = ? AND gen_lock_id = ?',
      caller.workspaceId,
      genLockId,
    )
    .map(({ name }) => name);
  return required.filter((name) => !stored.includes(name));
}

export function storeSecrets({ store, caller }: Scope, genLockId: string, secrets: JsonObject): void {
  store.transaction(() => {
    for (const [name, value] of Object.entries(secrets))
      store.run(
        'INSERT OR REPLACE INTO codehost_secrets (workspace_id, gen_lock_id, name, digest) VALUES (?, ?, ?, ?)',
        caller.workspaceId,
        genLockId,
        name,
        sign(store, 'publishing-secret', String(value)),
      );
  });
}
