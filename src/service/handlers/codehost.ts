/** Handles the operations of the Codehost integration area. */
import type * as area from '../../operations/codehost.ts';
import { checkCodehostNames, isLinked, link, ownerOf, setting, storeSetting } from '../codehost/codehost.ts';
import { hasSecrets, missingSecrets, storeSecrets } from '../codehost/publishing-secrets.ts';
import { defaultSource, samplesNamespace } from '../codehost/run-work.ts';
import { latestRun, pullRequest, startRun, statusOf } from '../codehost/runs.ts';
import { targetPieces } from '../codehost/targets.ts';
import { type Handlers, type IdsOf, Refusal, type Scope } from '../handler.ts';
import { checkCount, isRecord, isStrings, jsonObject, requiredString, requiredStrings } from '../http/fields.ts';
import { fullRepositoryName } from '../registry/publish.ts';

function checkLinked(org: string, repo: string, scope: Scope): void {
  checkCodehostNames(org, repo);
  if (!isLinked(scope, org)) throw new Refusal(404, `${org}/${repo} is not linked: link its owner first`);
}

const registryUrl = (namespace: string, scope: Scope): string =>
  `${scope.base.replace(/^[a-z]+:\/*/, '') || 'local'}/${fullRepositoryName(scope, { ...scope.caller, namespace })}`;

/** Returns the namespace that the target was last generated from, or else the default name for the repository. */
async function sourceOf(repo: string, target: string, { store, caller, share }: Scope): Promise<string> {
  for (const piece of targetPieces(store, caller.workspaceId, Number.MIN_SAFE_INTEGER)) {
    const named = piece.find((one) => one.generate_target_name === target && one.source_namespace_name);
    if (named) return String(named.source_namespace_name);
    await share.turn();
  }
  return defaultSource(repo);
}

export const codehost = {
  getCodehostSetupState: ({ org, repo, generate_gen_lock_id }, scope) => {
    const installed = isLinked(scope, org);
    const configured = setting(scope, org, repo, 'target') !== undefined;
    const secrets = hasSecrets(scope, generate_gen_lock_id);
    return {
      app_installed: installed,
      actions: { generation_action_configured: configured, publish_action_configured: configured && secrets },
      secrets: { api_key_configured: installed, publishing_secrets_configured: secrets },
    };
  },

  checkCodehostAccess: ({ org, repo }, scope) => checkLinked(org, repo, scope),

  linkCodehostAccess: ({ installation_id, codehost_org, codehost_oidc_token }, scope) => {
    const owner = codehost_oidc_token === undefined ? undefined : ownerOf(codehost_oidc_token);
    if (owner && codehost_org && owner !== codehost_org)
      throw new Refusal(422, `codehost_oidc_token belongs to ${owner}, not to codehost_org ${codehost_org}`);
    link(scope, codehost_org || owner || '', { installation_id, codehost_org });
  },

  codehostCheckPublishingPRs: ({ generate_gen_lock_id, org, repo }, scope) =>
    pullRequest(scope, org, repo, generate_gen_lock_id),

  codehostCheckPublishingSecrets: ({ generate_gen_lock_id }, scope) => ({
    missing_secrets: missingSecrets(scope, generate_gen_lock_id),
  }),

  codehostStorePublishingSecrets: ({ body }, scope) => {
    const request = jsonObject(body);
    const id = requiredString(request, 'generate_gen_lock_id');
    const secrets = request.secrets ?? {};
    if (!isRecord(secrets) || !isStrings(Object.values(secrets)))
      throw new Refusal(422, 'secrets must be an object of strings');
    checkCount(Object.keys(secrets), 'secrets');
    const empty = Object.keys(secrets).find((name) => String(secrets[name]).trim() === '');
    if (empty !== undefined) throw new Refusal(422, `secrets.${empty} is empty`);
    storeSecrets(scope, id, secrets);
  },

  codehostConfigureCodeSamples: async ({ body }, scope) => {
    const request = jsonObject(body);
    const org = requiredString(request, 'org');
    const repo = requiredString(request, 'repo');
    const target = requiredString(request, 'targetName');
    checkLinked(org, repo, scope);
    const run = latestRun(scope, org, repo, target);
    const answer = {
      source: { location: registryUrl(await sourceOf(repo, target, scope), scope) },
      codeSampleOverlayRegistryURL: registryUrl(samplesNamespace(repo, target), scope),
      ...(run && { ghActionID: run.id }),
    };
    storeSetting(scope, { org, repo, target }, 'code-samples', { ...request, ...answer });
    return answer;
  },

  codehostConfigureDocsiteRepo: ({ body }, scope) => {
    const request = jsonObject(body);
    const [org, repo] = [requiredString(request, 'org'), requiredString(request, 'repo')];
    requiredString(request, 'input');
    requiredStrings(request, 'overlays');
    checkLinked(org, repo, scope);
    storeSetting(scope, { org, repo }, 'docsite', request);
  },

  codehostConfigureTarget: ({ body }, scope) => {
    const request = jsonObject(body);
    const [org, repo] = [requiredString(request, 'org'), requiredString(request, 'repo_name')];
    checkLinked(org, repo, scope);
    storeSetting(scope, { org, repo }, 'target', request);
  },

  codehostTriggerAction: ({ body }, scope) => {
    const request = jsonObject(body);
    const [org, repo] = [requiredString(request, 'org'), requiredString(request, 'repo_name')];
    const genLockId = requiredString(request, 'gen_lock_id');
    checkLinked(org, repo, scope);
    if (!setting(scope, org, repo, 'target'))
      throw new Refusal(409, `${org}/${repo} has no target configured: configure a target first`);
    startRun(scope, { org, repo }, genLockId, request);
  },

  getCodehostAction: ({ org, repo, targetName }, scope) => {
    const run = latestRun(scope, org, repo, targetName);
    return run ? { run_url: run.url, run_status: statusOf(run, scope.now()) } : {};
  },
} satisfies Handlers<IdsOf<typeof area>>;
