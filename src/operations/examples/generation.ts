/** Lists example commands for the CodeSamples, Codehost integration and Suggest areas. */
import type { Examples } from '../operation.ts';

const at = '-R acme/sdk';

export const generation = {
  getCodeSamples: {
    'Get the code samples of a document in the registry': `dtp code-samples get --language go \\
  --registry-url registry.example.com/acme/main/pets:v1`,
    'Print only the code of one operation': `dtp code-samples get -r --query 'snippets[0].code' --language python \\
  --registry-url registry.example.com/acme/main/pets:v1 \\
  --method-paths '{"method":"get","path":"/pets"}'`,
  },
  generateCodeSamplePreview: {
    'Get the code samples of a document': 'dtp code-samples preview openapi.yaml --language go',
    'Print only the code of one operation, with the SDK': `dtp code-samples preview openapi.yaml --language python \\
  --package acme --operation-ids getPet -r --query 'snippets[0].code'`,
  },
  generateCodeSamplePreviewAsync: {
    'Start a job and wait for its code samples': `dtp code-samples jobs create openapi.yaml --language go \\
  --wait -O samples.json`,
    'Start a job now, and wait for the job later': `job=$(dtp code-samples jobs create openapi.yaml \\
  --language go -r --query job_id)
dtp code-samples jobs get "$job" --wait`,
  },
  getCodeSamplePreviewAsync: {
    'Get the code samples of a job': 'dtp code-samples jobs get job_77d0',
    'Wait for the code samples for at most two minutes':
      'dtp code-samples jobs get job_77d0 --wait --wait-timeout 2m -o yaml',
  },
  getCodehostSetupState: {
    'Show the setup of a repository': `dtp codehost setup get ${at} --lock-id sdk-ts`,
    'Check whether the app is installed': `dtp codehost setup get ${at} --lock-id sdk-ts \\
  -r --query app_installed`,
  },
  checkCodehostAccess: {
    'Check access to a repository': `dtp codehost access check ${at}`,
    'Exit with 6 if the repository cannot be accessed': {
      command: 'dtp codehost access check -R somebody/private',
      exit: 6,
    },
  },
  linkCodehostAccess: {
    'Link an installation': 'dtp codehost access link --installation-id 42 --codehost-org acme',
    'Use the OIDC token of a CI run, from a file': 'dtp codehost access link --codehost-oidc-token @oidc.jwt',
  },
  codehostCheckPublishingPRs: {
    'Show the pull request of a target': `dtp codehost publishing-prs check --lock-id sdk-ts \\
  ${at}`,
    'Print only the URL of the pull request': `dtp codehost publishing-prs check --lock-id sdk-ts \\
  ${at} -r --query pull_request`,
  },
  codehostCheckPublishingSecrets: {
    'List the missing secrets of a target': 'dtp codehost publishing-secrets check --lock-id sdk-ts',
    'Print one secret per line': `dtp codehost publishing-secrets check --lock-id sdk-ts \\
  -r --query missing_secrets`,
  },
  codehostStorePublishingSecrets: {
    'Store secrets from a file such as {"NPM_TOKEN": "…"}': `dtp codehost publishing-secrets store --lock-id sdk-ts \\
  --secrets @secrets.json`,
    'Read the whole body from standard input':
      'dtp codehost publishing-secrets store --body - < publishing-secrets.yaml',
  },
  codehostConfigureCodeSamples: {
    'Configure code samples for a target': `dtp codehost configure code-samples ${at} --target-name sdk-ts`,
    'Set the fields with -f and print the URL of the overlay': `dtp codehost configure code-samples -r --query \\
  codeSampleOverlayRegistryURL -f org=acme -f repo=sdk -f targetName=sdk-ts`,
  },
  codehostConfigureDocsiteRepo: {
    'Configure the repository of the documentation site': `dtp codehost configure docsite-repo -R acme/docs \\
  --input openapi.yaml --overlays overlay.yaml`,
    'Take the whole body from a file': 'dtp codehost configure docsite-repo --body @docsite.yaml',
  },
  codehostConfigureTarget: {
    'Configure a repository for a target': 'dtp codehost configure target -R acme/sdk',
    'Pass a JSON body': `dtp codehost configure target --body '{"org":"acme","repo_name":"sdk"}'`,
  },
  codehostTriggerAction: {
    'Run the workflow action of a target and wait until it has ended': `dtp codehost actions trigger -R acme/sdk \\
  --lock-id sdk-ts --wait`,
    'Release a version, even if nothing changed': `dtp codehost actions trigger -R acme/sdk \\
  --lock-id sdk-ts --set-version 1.4.0 --force`,
  },
  getCodehostAction: {
    'Show the latest run': `dtp codehost actions get ${at}`,
    'Show the setup for one target': `dtp codehost actions get ${at} --target-name sdk-ts \\
  -r --query run_status`,
  },
  suggestOpenAPI: {
    'Get an overlay that improves a document': `dtp suggest openapi openapi.yaml \\
  --suggestion-type method-names -O overlay.yaml`,
    'Read the document from standard input': `cat openapi.yaml | dtp suggest openapi - \\
  --opts '{"suggestion_type":"method-names"}'`,
  },
  suggest: {
    'Get an overlay that names the methods of an API document': 'dtp suggest from-summary openapi.yaml -O overlay.yaml',
    'Read the summary from a file, the rest from flags': `dtp suggest from-summary --oas-summary @oas.json \\
  --suggestion-type method-names --diagnostics '[]'`,
  },
  suggestItems: {
    'Get one suggestion for each operation': `dtp suggest items --prompt 'Name these operations' \\
  --items 'get /pets' --items 'post /pets'`,
    'Get suggestions for the first and the last line of a file': `dtp suggest items -f prompt='Name these operations' -r \\
  --items "$(head -n 1 items.txt)" --items "$(tail -n 1 items.txt)"`,
  },
  suggestOpenAPIRegistry: {
    'Get an overlay for a revision': 'dtp suggest registry pets v1 --suggestion-type method-names',
    'Ask several questions in one session': `dtp suggest registry pets v1 --session-id review-12 \\
  --suggestion-type diagnostics-only -O overlay.yaml`,
  },
} as const satisfies Examples;
