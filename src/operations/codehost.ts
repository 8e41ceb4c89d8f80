/** Declares the operations of the API's Codehost integration table. */
import { defineOperation } from './operation.ts';
import { genLock, org, repo } from './shared.ts';

/** The limitations of the embedded service, which is not connected to a code host. */
const kept = 'no code host is contacted; state is stored locally';
const simulated = 'a run posts events, pushes samples, publishes no SDK';
const listed = 'each language has a fixed list of secrets';

export const getCodehostSetupState = defineOperation({
  id: 'getCodehostSetupState',
  command: ['codehost', 'setup', 'get'],
  summary: 'Show the setup status of a repository',
  method: 'GET',
  path: '/v1/codehost/setup',
  input: { org, repo, generate_gen_lock_id: genLock },
  result: 'record',
  names: false,
  simplified: kept,
});

export const checkCodehostAccess = defineOperation({
  id: 'checkCodehostAccess',
  command: ['codehost', 'access', 'check'],
  summary: 'Check whether the platform can access a repository',
  method: 'GET',
  path: '/v1/codehost/check_access',
  input: { org, repo },
  result: 'none',
  simplified: 'all repositories of a linked owner are accessible',
});

export const linkCodehostAccess = defineOperation({
  id: 'linkCodehostAccess',
  command: ['codehost', 'access', 'link'],
  summary: 'Link an installation on the code host to the workspace',
  method: 'POST',
  path: '/v1/codehost/link',
  input: {
    installation_id: { in: 'query', kind: 'string', help: 'installation id on the code host' },
    codehost_org: { in: 'query', kind: 'string', help: 'organization or user on the code host' },
    codehost_oidc_token: {
      in: 'query',
      kind: 'string',
      help: 'OIDC token of a CI run: @FILE or - hides it from other processes',
    },
  },
  result: 'none',
  simplified: 'any owner id is accepted, and no signature is checked',
});

export const codehostCheckPublishingPRs = defineOperation({
  id: 'codehostCheckPublishingPRs',
  command: ['codehost', 'publishing-prs', 'check'],
  summary: 'Show the pull request that publishes a target',
  method: 'GET',
  path: '/v1/codehost/publishing_prs',
  input: { generate_gen_lock_id: genLock, org, repo },
  result: 'record',
  names: 'pull_request',
  simplified: simulated,
});

export const codehostCheckPublishingSecrets = defineOperation({
  id: 'codehostCheckPublishingSecrets',
  command: ['codehost', 'publishing-secrets', 'check'],
  summary: 'List the missing publishing secrets of a target',
  method: 'GET',
  path: '/v1/codehost/publishing_secrets',
  input: { generate_gen_lock_id: genLock },
  result: 'record',
  names: 'missing_secrets[]',
  simplified: listed,
});

export const codehostStorePublishingSecrets = defineOperation({
  id: 'codehostStorePublishingSecrets',
  command: ['codehost', 'publishing-secrets', 'store'],
  summary: 'Store publishing secrets for a target',
  method: 'POST',
  path: '/v1/codehost/publishing_secrets',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'CodehostStorePublishingSecretsRequest',
      help: 'lock id, and the secrets as name and value pairs',
    },
  },
  result: 'none',
  simplified: listed,
});

export const codehostConfigureCodeSamples = defineOperation({
  id: 'codehostConfigureCodeSamples',
  command: ['codehost', 'configure', 'code-samples'],
  summary: 'Configure code samples for a repository',
  method: 'POST',
  path: '/v1/codehost/configure_code_samples',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'CodehostConfigureCodeSamplesRequest',
      help: 'repository and target',
    },
  },
  result: 'record',
  names: 'codeSampleOverlayRegistryURL',
  simplified: kept,
});

export const codehostConfigureDocsiteRepo = defineOperation({
  id: 'codehostConfigureDocsiteRepo',
  command: ['codehost', 'configure', 'docsite-repo'],
  summary: 'Configure the repository of the documentation site',
  method: 'POST',
  path: '/v1/codehost/configure_docsite_repo',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'CodehostConfigureDocsiteRepoRequest',
      help: 'repository, input and overlays',
    },
  },
  result: 'none',
  simplified: kept,
});

export const codehostConfigureTarget = defineOperation({
  id: 'codehostConfigureTarget',
  command: ['codehost', 'configure', 'target'],
  summary: 'Configure a repository for a target',
  method: 'POST',
  path: '/v1/codehost/configure_target',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'CodehostConfigureTargetRequest',
      help: 'repository',
    },
  },
  result: 'none',
  simplified: kept,
});

export const codehostTriggerAction = defineOperation({
  id: 'codehostTriggerAction',
  command: ['codehost', 'actions', 'trigger'],
  summary: 'Trigger the workflow action of a target',
  method: 'POST',
  path: '/v1/codehost/trigger_action',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'CodehostTriggerActionRequest',
      help: 'repository and target',
    },
  },
  result: 'none',
  flow: 'run',
  simplified: simulated,
});

export const getCodehostAction = defineOperation({
  id: 'getCodehostAction',
  command: ['codehost', 'actions', 'get'],
  summary: 'Show the latest run of the workflow action',
  method: 'GET',
  path: '/v1/codehost/action',
  input: {
    org,
    repo,
    targetName: { in: 'query', kind: 'string', help: 'name of the target in the workflow file' },
  },
  result: 'record',
  names: 'run_url',
  simplified: simulated,
  isRun: true,
  // With --watch, the command waits for the end of the run, which may fail.
  ends: ['partial'],
});
