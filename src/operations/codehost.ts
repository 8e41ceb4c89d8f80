/** Declares the operations of the API's Codehost integration table. */
import { defineOwn, genLock, inBody, inQuery, org, repo } from './operation.ts';

/** The limitation of the embedded service. */
const kept = 'no code host is contacted; state is stored locally';
const simulated = 'a run posts events, pushes samples, publishes no SDK';
const listed = 'each language has a fixed list of secrets';

export const getCodehostSetupState = defineOwn('GET /v1/codehost/setup', {
  command: ['codehost', 'setup', 'get'],
  summary: 'Show the setup status of a repository',
  input: { org, repo, generate_gen_lock_id: genLock },
  names: false,
  simplified: kept,
});

export const checkCodehostAccess = defineOwn('GET /v1/codehost/check_access', {
  command: ['codehost', 'access', 'check'],
  summary: 'Check whether the platform can access a repository',
  input: { org, repo },
  result: 'none',
  simplified: 'all repositories of a linked owner are accessible',
});

export const linkCodehostAccess = defineOwn('POST /v1/codehost/link', {
  command: ['codehost', 'access', 'link'],
  summary: 'Link an installation on the code host to the workspace',
  input: {
    installation_id: inQuery('installation id on the code host'),
    codehost_org: inQuery('organization or user on the code host'),
    codehost_oidc_token: inQuery('OIDC token of a CI run: @FILE or - hides it from other processes'),
  },
  result: 'none',
  simplified: 'any owner id is accepted, and no signature is checked',
});

export const codehostCheckPublishingPRs = defineOwn('GET /v1/codehost/publishing_prs', {
  command: ['codehost', 'publishing-prs', 'check'],
  summary: 'Show the pull request that publishes a target',
  input: { generate_gen_lock_id: genLock, org, repo },
  names: 'pull_request',
  simplified: simulated,
});

export const codehostCheckPublishingSecrets = defineOwn('GET /v1/codehost/publishing_secrets', {
  command: ['codehost', 'publishing-secrets', 'check'],
  summary: 'List the missing publishing secrets of a target',
  input: { generate_gen_lock_id: genLock },
  names: 'missing_secrets[]',
  simplified: listed,
});

export const codehostStorePublishingSecrets = defineOwn('POST /v1/codehost/publishing_secrets', {
  command: ['codehost', 'publishing-secrets', 'store'],
  summary: 'Store publishing secrets for a target',
  input: { body: inBody('CodehostStorePublishingSecretsRequest', 'lock id, and the secrets as name and value pairs') },
  result: 'none',
  simplified: listed,
});

export const codehostConfigureCodeSamples = defineOwn('POST /v1/codehost/configure_code_samples', {
  command: ['codehost', 'configure', 'code-samples'],
  summary: 'Configure code samples for a repository',
  input: { body: inBody('CodehostConfigureCodeSamplesRequest', 'repository and target') },
  names: 'codeSampleOverlayRegistryURL',
  simplified: kept,
});

export const codehostConfigureDocsiteRepo = defineOwn('POST /v1/codehost/configure_docsite_repo', {
  command: ['codehost', 'configure', 'docsite-repo'],
  summary: 'Configure the repository of the documentation site',
  input: { body: inBody('CodehostConfigureDocsiteRepoRequest', 'repository, input and overlays') },
  result: 'none',
  simplified: kept,
});

export const codehostConfigureTarget = defineOwn('POST /v1/codehost/configure_target', {
  command: ['codehost', 'configure', 'target'],
  summary: 'Configure a repository for a target',
  input: { body: inBody('CodehostConfigureTargetRequest', 'repository') },
  result: 'none',
  simplified: kept,
});

export const codehostTriggerAction = defineOwn('POST /v1/codehost/trigger_action', {
  command: ['codehost', 'actions', 'trigger'],
  summary: 'Trigger the workflow action of a target',
  input: { body: inBody('CodehostTriggerActionRequest', 'repository and target') },
  result: 'none',
  flow: 'run',
  simplified: simulated,
});

export const getCodehostAction = defineOwn('GET /v1/codehost/action', {
  command: ['codehost', 'actions', 'get'],
  summary: 'Show the latest run of the workflow action',
  input: { org, repo, targetName: inQuery('name of the target in the workflow file') },
  names: 'run_url',
  simplified: simulated,
  isRun: true,
  // With --watch, the command waits for the end of the run, which may fail.
  ends: ['partial'],
});
