/** Lists example commands for the CodeSamples, Codehost integration and Suggest areas. */
import type { Examples } from './example.ts';

const at = '-R acme/sdk';

export const generation = {
  getCodeSamples: [
    {
      says: 'Get the snippets of a document in the registry',
      command: `dtp code-samples get --language go \\
  --registry-url registry.example.com/acme/main/pets:v1`,
    },
    {
      says: 'Print only the code of one operation',
      command: `dtp code-samples get -r --query 'snippets[0].code' --language python \\
  --registry-url registry.example.com/acme/main/pets:v1 \\
  --method-paths '{"method":"get","path":"/pets"}'`,
    },
  ],
  generateCodeSamplePreview: [
    {
      says: 'Get the snippets of a document',
      command: 'dtp code-samples preview openapi.yaml --language go',
    },
    {
      says: 'Print only the code of one operation, with the SDK',
      command: `dtp code-samples preview openapi.yaml --language python \\
  --package acme --operation-ids getPet -r --query 'snippets[0].code'`,
    },
  ],
  generateCodeSamplePreviewAsync: [
    {
      says: 'Start a job and wait for its snippets',
      command: `dtp code-samples jobs create openapi.yaml --language go \\
  --wait -O samples.json`,
    },
    {
      says: 'Start a job now, and wait for the job later',
      command: `job=$(dtp code-samples jobs create openapi.yaml \\
  --language go -r --query job_id)
dtp code-samples jobs get "$job" --wait`,
    },
  ],
  getCodeSamplePreviewAsync: [
    {
      says: 'Get the snippets of a job (exits with 8 while it is running)',
      command: 'dtp code-samples jobs get job_77d0',
    },
    {
      says: 'Wait for the snippets for at most two minutes',
      command: 'dtp code-samples jobs get job_77d0 --wait --wait-timeout 2m -o yaml',
    },
  ],
  getCodehostSetupState: [
    {
      says: 'Show the setup of a repository',
      command: `dtp codehost setup get ${at} --lock-id sdk-ts`,
    },
    {
      says: 'Check whether the app is installed',
      command: `dtp codehost setup get ${at} --lock-id sdk-ts \\
  -r --query app_installed`,
    },
  ],
  checkCodehostAccess: [
    { says: 'Check access to a repository', command: `dtp codehost access check ${at}` },
    {
      says: 'Exit with 6 if the repository cannot be accessed',
      command: 'dtp codehost access check -R somebody/private',
      exit: 6,
    },
  ],
  linkCodehostAccess: [
    {
      says: 'Link an installation',
      command: 'dtp codehost access link --installation-id 42 --codehost-org acme',
    },
    {
      says: 'Use the OIDC token of a CI run, from a file',
      command: 'dtp codehost access link --codehost-oidc-token @oidc.jwt',
    },
  ],
  codehostCheckPublishingPRs: [
    {
      says: 'Show the pull request of a target',
      command: `dtp codehost publishing-prs check --lock-id sdk-ts \\
  ${at}`,
    },
    {
      says: 'Print only the URL of the pull request',
      command: `dtp codehost publishing-prs check --lock-id sdk-ts \\
  ${at} -r --query pull_request`,
    },
  ],
  codehostCheckPublishingSecrets: [
    {
      says: 'List the missing secrets of a target',
      command: 'dtp codehost publishing-secrets check --lock-id sdk-ts',
    },
    {
      says: 'Print one secret per line',
      command: `dtp codehost publishing-secrets check --lock-id sdk-ts \\
  -r --query missing_secrets`,
    },
  ],
  codehostStorePublishingSecrets: [
    {
      says: 'Store secrets from a file such as {"NPM_TOKEN": "…"}',
      command: `dtp codehost publishing-secrets store --lock-id sdk-ts \\
  --secrets @secrets.json`,
    },
    {
      says: 'Read the whole body from stdin',
      command: 'dtp codehost publishing-secrets store --body - < publishing-secrets.yaml',
    },
  ],
  codehostConfigureCodeSamples: [
    {
      says: 'Configure code samples for a target',
      command: `dtp codehost configure code-samples ${at} --target-name sdk-ts`,
    },
    {
      says: 'Set the fields with -f and print the URL of the overlay',
      command: `dtp codehost configure code-samples -r --query \\
  codeSampleOverlayRegistryURL -f org=acme -f repo=sdk -f targetName=sdk-ts`,
    },
  ],
  codehostConfigureDocsiteRepo: [
    {
      says: 'Configure the repository of the documentation site',
      command: `dtp codehost configure docsite-repo -R acme/docs \\
  --input openapi.yaml --overlays overlay.yaml`,
    },
    {
      says: 'Take the whole body from a file',
      command: 'dtp codehost configure docsite-repo --body @docsite.yaml',
    },
  ],
  codehostConfigureTarget: [
    {
      says: 'Configure a repository for a target',
      command: 'dtp codehost configure target -R acme/sdk',
    },
    {
      says: 'Pass a JSON body',
      command: `dtp codehost configure target --body '{"org":"acme","repo_name":"sdk"}'`,
    },
  ],
  codehostTriggerAction: [
    {
      says: 'Run the workflow action of a target and wait until it has ended',
      command: `dtp codehost actions trigger -R acme/sdk \\
  --lock-id sdk-ts --wait`,
    },
    {
      says: 'Release a version, even if nothing changed',
      command: `dtp codehost actions trigger -R acme/sdk \\
  --lock-id sdk-ts --set-version 1.4.0 --force-generation`,
    },
  ],
  getCodehostAction: [
    { says: 'Show the latest run', command: `dtp codehost actions get ${at}` },
    {
      says: 'Show the setup for one target',
      command: `dtp codehost actions get ${at} --target-name sdk-ts \\
  -r --query run_status`,
    },
  ],
  suggestOpenAPI: [
    {
      says: 'Get an overlay that improves a document',
      command: `dtp suggest openapi openapi.yaml \\
  --suggestion-type method-names -O overlay.yaml`,
    },
    {
      says: 'Read the document from stdin',
      command: `cat openapi.yaml | dtp suggest openapi - \\
  --opts '{"suggestion_type":"method-names"}'`,
    },
  ],
  suggest: [
    {
      says: 'Get an overlay that names the methods of an API document',
      command: 'dtp suggest from-summary openapi.yaml -O overlay.yaml',
    },
    {
      says: 'Read the summary from a file, the rest from flags',
      command: `dtp suggest from-summary --oas-summary @oas.json \\
  --suggestion-type method-names --diagnostics '[]'`,
    },
  ],
  suggestItems: [
    {
      says: 'Get one suggestion for each operation',
      command: `dtp suggest items --prompt 'Name these operations' \\
  --items 'get /pets' --items 'post /pets'`,
    },
    {
      says: 'Get suggestions for the first and the last line of a file',
      command: `dtp suggest items -f prompt='Name these operations' -r \\
  --items "$(head -n 1 items.txt)" --items "$(tail -n 1 items.txt)"`,
    },
  ],
  suggestOpenAPIRegistry: [
    {
      says: 'Get an overlay for a revision',
      command: 'dtp suggest registry pets v1 --suggestion-type method-names',
    },
    {
      says: 'Ask several questions in one session',
      command: `dtp suggest registry pets v1 --session-id review-12 \\
  --suggestion-type diagnostics-only -O overlay.yaml`,
    },
  ],
} as const satisfies Examples;
