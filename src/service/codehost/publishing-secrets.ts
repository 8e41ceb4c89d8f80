/** Stores the secrets for publishing a target, and finds the missing ones. Only a digest of each value is stored. */
import type { Store } from '../data/store.ts';
import { Refusal, type Scope } from '../handler.ts';
import type { JsonObject } from '../http/fields.ts';
import { sign } from '../tenancy/signature.ts';
import { findTarget, languageOf, noTargetText } from './targets.ts';

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  typescript: ['NPM_TOKEN'],
  python: ['PYPI_TOKEN'],
  java: ['OSSRH_USERNAME', 'OSSRH_PASSWORD', 'JAVA_GPG_SECRET_KEY', 'JAVA_GPG_PASSPHRASE'],
  csharp: ['NUGET_API_KEY'],
  ruby: ['RUBYGEMS_AUTH_TOKEN'],
  php: ['PACKAGIST_USERNAME', 'PACKAGIST_TOKEN'],
  terraform: ['TERRAFORM_GPG_PRIVATE_KEY', 'TERRAFORM_GPG_PASSPHRASE'],
};

/** Whether secrets are stored for a lock id. Such a lock id is known even before its target is first generated. */
export const hasStoredSecrets = (store: Store, workspaceId: string, genLockId: string): boolean =>
  store.find('codehost_secrets', { workspace_id: workspaceId, gen_lock_id: genLockId }) !== undefined;

/** Returns the secrets that the target's language requires and that are missing. Throws Refusal without a language. */
export function missingSecrets({ store, caller }: Scope, genLockId: string): readonly string[] {
  const language = languageOf(store, caller.workspaceId, genLockId);
  if (language === undefined) {
    const of = [store, caller.workspaceId, genLockId] as const;
    const isKnown = hasStoredSecrets(...of) || findTarget(...of) !== undefined;
    const text = isKnown
      ? `the target ${genLockId} has not been generated yet, so its language is not known`
      : noTargetText(store, caller.workspaceId, genLockId);
    throw new Refusal(404, text);
  }
  // Languages that are published with a Git tag need no secret.
  const required = (Object.hasOwn(REQUIRED, language) && REQUIRED[language]) || [];
  const stored = store
    .list('codehost_secrets', { workspace_id: caller.workspaceId, gen_lock_id: genLockId }, 'name')
    .map(({ name }) => name);
  return required.filter((name) => !stored.includes(name));
}

export const hasSecrets = (scope: Scope, genLockId: string): boolean =>
  languageOf(scope.store, scope.caller.workspaceId, genLockId) !== undefined &&
  missingSecrets(scope, genLockId).length === 0;

export function storeSecrets({ store, caller }: Scope, genLockId: string, secrets: JsonObject): void {
  store.transaction(() => {
    for (const [name, value] of Object.entries(secrets)) {
      const digest = sign(store, 'publishing-secret', String(value));
      const own = { workspace_id: caller.workspaceId, gen_lock_id: genLockId };
      store.insert('codehost_secrets', { ...own, name, digest }, 'replace');
    }
  });
}
