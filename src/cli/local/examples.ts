/** Two examples of every command of the tool itself, and those of the first page and of a topic. */
import type { Example } from '../../operations/examples.ts';

/** By the words of the command. */
export const examples: Readonly<Record<string, readonly [Example, Example]>> = {
  api: [
    {
      says: 'Any path; the workspace is filled in',
      command: "dtp api '/v1/workspace/{workspace_id}/tokens'",
    },
    {
      says: 'A body makes it a POST',
      command: `dtp api '/v1/workspace/{workspace_id}/tokens' -f name=ci -i`,
    },
  ],
  'artifacts pull': [
    { says: 'A revision by its tag, into the folder pets', command: 'dtp artifacts pull pets:v1' },
    {
      says: 'The latest one, in the place of what a folder holds',
      command: 'dtp artifacts pull pets -O spec --force',
    },
  ],
  'artifacts push': [
    {
      says: 'Push a document with the files that it refers to',
      command: 'dtp artifacts push openapi.yaml --namespace pets --tag v2 --tag latest',
    },
    {
      says: 'Push a folder, and keep the digest',
      command: `dtp artifacts push spec --namespace pets -r --query digest`,
    },
  ],
  'auth login': [
    {
      says: 'Log in with a credential that is in a file',
      command: 'dtp auth login --base-url https://api.example.com --with-token < key.txt',
    },
    {
      says: 'Into a profile of its own',
      command: `dtp auth login --profile staging --base-url https://api.example.com \\
  --scheme api-key --with-token < key.txt`,
    },
  ],
  'auth logout': [
    { says: 'Forget the credential of the current profile', command: 'dtp auth logout' },
    { says: 'Of another', command: 'dtp auth logout --profile staging' },
  ],
  'auth oidc-token': [
    {
      says: 'Link the owner of a repository, in a job on GitHub Actions',
      command: `dtp auth oidc-token --audience platform |
  dtp codehost access link --codehost-org acme --codehost-oidc-token -`,
    },
    {
      says: 'Save the token of a job on GitLab',
      command: 'dtp auth oidc-token --variable DTP_ID_TOKEN > oidc.jwt',
    },
  ],
  'auth status': [
    { says: 'Say which credential is used', command: 'dtp auth status' },
    {
      says: 'In a script: ends with 4 where it is not valid',
      command: "dtp auth status -o json > /dev/null && echo 'logged in'",
    },
  ],
  completion: [
    { says: 'Put the script where the shell looks for it', command: 'dtp completion fish --install' },
    { says: 'For this shell alone', command: 'source <(dtp completion bash)' },
  ],
  'config delete': [
    { says: 'Delete a profile; on a terminal it asks first', command: 'dtp config delete staging --yes' },
    {
      says: 'Of the current one: use another from now on',
      command: 'dtp config use local && dtp config delete staging --yes',
    },
  ],
  'config explain': [
    { says: 'Each setting, and where it comes from', command: 'dtp config explain' },
    {
      says: 'Where the base address comes from',
      command: `dtp config explain -r --query "[?setting=='base_url'].source"`,
    },
  ],
  'config get': [
    { says: 'Show a setting of the profile', command: 'dtp config get base_url' },
    { says: 'Of another profile', command: 'dtp config get base_url --profile staging' },
  ],
  'config list': [
    { says: 'List the profiles', command: 'dtp config list' },
    { says: 'The current one', command: "dtp config list -r --query '[?current].name'" },
  ],
  'config path': [
    { says: 'Where the profiles are kept', command: 'dtp config path' },
    { says: 'Look at its mode', command: 'ls -l "$(dtp config path)"' },
  ],
  'config set': [
    { says: 'Make a workspace the usual one', command: 'dtp config set workspace ws_2c81 --profile staging' },
    {
      says: 'Let a vault give the credential',
      command: `dtp config set credential_command 'cat ~/.vault/dtp' --profile staging`,
    },
  ],
  'config trust': [
    {
      says: 'Trust the .dtp.json that applies here; on a terminal it asks first',
      command: 'dtp config trust --yes',
    },
    { says: 'That of another folder', command: 'dtp config trust ./petstore --yes' },
  ],
  'config unset': [
    { says: 'Forget a setting', command: 'dtp config unset workspace' },
    { says: 'Of another profile', command: 'dtp config unset workspace --profile staging' },
  ],
  'config untrust': [
    { says: 'Stop trusting the .dtp.json that applies here', command: 'dtp config untrust' },
    { says: 'That of another folder', command: 'dtp config untrust ./petstore' },
  ],
  'config use': [
    { says: 'Make a profile the current one', command: 'dtp config use staging' },
    { says: 'Work with the embedded service', command: 'dtp config use local' },
  ],
  dev: [
    { says: 'Run a script with the embedded service beside it', command: 'dtp dev -- ./send-events.sh' },
    {
      says: 'Try its nerves: the first two posts fail',
      command: `dtp dev --ephemeral --fail 'postWorkspaceEvents=503x2' -- ./send-events.sh`,
    },
  ],
  doctor: [
    { says: 'Look whether everything is as it must be', command: 'dtp doctor' },
    {
      says: 'What mends what is not, in a script',
      command: `dtp doctor --query "[?status=='fail' || status=='warn'].mend"`,
    },
  ],
  'events spool drop': [
    { says: 'Remove what was rejected', command: 'dtp events spool drop --rejected --yes' },
    { says: 'Remove what is older than a month', command: 'dtp events spool drop --older-than 30 --yes' },
  ],
  'events spool flush': [
    { says: 'Deliver what is kept', command: 'dtp events spool flush' },
    { says: 'Send what was rejected once more', command: 'dtp events spool flush --rejected' },
  ],
  'events spool list': [
    { says: 'List what is kept', command: 'dtp events spool list' },
    { says: 'How many batches wait', command: "dtp events spool list --query 'length(@)'" },
  ],
  help: [
    { says: 'The help of a command', command: 'dtp help ws tokens create' },
    { says: 'A manual for man(1)', command: 'dtp help --man man/man1' },
  ],
  schema: [
    { says: 'All commands with what they do', command: 'dtp schema' },
    {
      says: 'The flags of one that must be given',
      command: "dtp schema reports upload -r --query 'flags[?required].name'",
    },
  ],
  mcp: [
    { says: 'Tools that only read, over standard input and output', command: 'dtp mcp < /dev/null' },
    {
      says: 'Those of events, writing ones too',
      command: `dtp mcp --allow-writes --tools 'events_*' < /dev/null`,
    },
  ],
  serve: [
    { says: 'Run the embedded service on a port', command: 'dtp serve --port 8080' },
    {
      says: 'With nothing left behind, for a script',
      command: 'dtp serve --ephemeral -o json',
    },
  ],
};

/** What the first page begins with. */
export const firstSteps: readonly Example[] = [
  { says: 'Look around, on the embedded service', command: 'dtp --profile local ws current' },
  {
    says: 'Log in to a service',
    command: 'dtp auth login --base-url https://api.example.com --with-token < key.txt',
  },
  {
    says: 'Post events, and search them',
    command: 'dtp events post --body @events.ndjson\ndtp events search --execution-id run-77',
  },
  {
    says: 'Push an API document',
    command: 'dtp artifacts push openapi.yaml --namespace pets --tag v1',
  },
];

/** The ways to give a body, on the topic's page. */
export const bodyExamples: readonly Example[] = [
  {
    says: 'A flag for each member that is known',
    command: 'dtp ws create --name Staging --slug staging --dry-run',
  },
  {
    says: 'All of it from a file; a flag wins over it',
    command: 'dtp ws create --body @workspace.yaml --name Staging --dry-run',
  },
  {
    says: 'Any member: typed with -F, a text with -f',
    command: "dtp ws create -F verified=true -f name=7 -F 'labels[]=a' --dry-run",
  },
  {
    says: 'A template to begin with',
    command: 'dtp ws create --skeleton -o yaml > new.yaml',
  },
];
