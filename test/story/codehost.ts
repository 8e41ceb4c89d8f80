/** The story's code host steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const at = ['--org', 'acme', '--repo', 'sdk'];
const lock = ['--generate-gen-lock-id', 'lock-1'];
const inRepo = ['--org', 'acme', '--repo-name', 'sdk'];

export const codehost: readonly Step[] = [
  {
    says: 'a repository cannot be reached',
    id: 'checkCodehostAccess',
    argv: () => ['codehost', 'access', 'check', ...at],
    code: 6,
  },
  {
    says: 'its owner is linked',
    id: 'linkCodehostAccess',
    argv: () => ['codehost', 'access', 'link', '--installation-id', '42', '--codehost-org', 'acme'],
    empty: true,
  },
  {
    says: 'now it can be reached',
    id: 'checkCodehostAccess',
    argv: () => ['codehost', 'access', 'check', ...at],
    empty: true,
  },
  {
    says: 'secrets are missing',
    id: 'codehostCheckPublishingSecrets',
    argv: () => ['codehost', 'publishing-secrets', 'check', ...lock],
    record: 'CodehostMissingPublishingSecretsResponse',
    check: (value, state) => {
      expect(value.missing_secrets).not.toEqual([]);
      state.secrets = JSON.stringify(
        Object.fromEntries(value.missing_secrets.map((name: string) => [name, 'hunter22'])),
      );
    },
  },
  {
    says: 'they are stored',
    id: 'codehostStorePublishingSecrets',
    argv: ({ secrets }) => ['codehost', 'publishing-secrets', 'store', ...lock, '--secrets', secrets as string],
    empty: true,
  },
  {
    says: 'no secret is missing',
    id: 'codehostCheckPublishingSecrets',
    argv: () => ['codehost', 'publishing-secrets', 'check', ...lock],
    check: (value) => expect(value.missing_secrets ?? []).toEqual([]),
  },
  {
    says: 'the target is configured',
    id: 'codehostConfigureTarget',
    argv: () => ['codehost', 'configure', 'target', ...inRepo],
    empty: true,
  },
  {
    says: 'code samples are configured',
    id: 'codehostConfigureCodeSamples',
    argv: () => ['codehost', 'configure', 'code-samples', ...at, '--target-name', 'typescript'],
    record: 'CodehostConfigureCodeSamplesResponse',
  },
  {
    says: 'the docs repository is configured',
    id: 'codehostConfigureDocsiteRepo',
    argv: () => ['codehost', 'configure', 'docsite-repo', ...at, '--input', 'openapi.yaml', '--overlays', 'a.yaml'],
    empty: true,
  },
  {
    says: 'the setup is shown',
    id: 'getCodehostSetupState',
    argv: () => ['codehost', 'setup', 'get', ...at, ...lock],
    record: 'CodehostSetupStateResponse',
    check: (value) =>
      expect(value).toMatchObject({ app_installed: true, secrets: { publishing_secrets_configured: true } }),
  },
  {
    says: 'the action is triggered',
    id: 'codehostTriggerAction',
    argv: () => ['codehost', 'actions', 'trigger', ...inRepo, '--gen-lock-id', 'lock-1'],
    empty: true,
  },
  {
    says: 'it is running',
    id: 'getCodehostAction',
    argv: () => ['codehost', 'actions', 'get', ...at],
    record: 'CodehostGetActionResponse',
    check: (value) => expect(value.run_url).toContain('http'),
  },
  {
    says: 'it may open a pull request',
    id: 'codehostCheckPublishingPRs',
    argv: () => ['codehost', 'publishing-prs', 'check', ...lock, ...at],
    record: 'CodehostPublishingPRResponse',
  },
];
