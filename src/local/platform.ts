/** Declares the local commands for what a service has: an account, workspaces, events, revisions and other paths. */
import { placeholderList } from '../settings/keys.ts';
import type { LocalCommands } from './command.ts';
import {
  apiFlags,
  dropFlags,
  flushFlags,
  initFlags,
  loginFlags,
  moveFlags,
  oidcTokenFlags,
  pushFlags,
  tailFlags,
} from './flags.ts';

export const platformCommands = {
  init: {
    summary: 'Connect to a service, or try everything locally',
    effect: 'write',
    sends: true,
    ends: ['cancelled', 'kept'],
    flags: initFlags,
    way: { login: true, stores: true },
    names: false,
    notes: [
      'On a terminal, it prompts for what the flags leave out, and offers the current values as defaults. Run it again at any time: it never replaces the credential of another service or an existing file.',
      '--sample only writes files to a new folder, and prints commands to try with them.',
      '--ci is for the CI of the repository, GitHub Actions or GitLab CI. Without --with-token, --ci print does nothing else, and needs no login.',
      'Without a terminal, it needs --local, or --base-url and --with-token.',
    ],
    examples: {
      'Try everything locally, without an account': 'dtp init --local',
      'Set up a service in a script': `dtp init --profile main --base-url https://api.example.com \\
  --with-token --folder-file --no-event < key.txt`,
    },
  },
  'auth login': {
    summary: 'Check a credential and store it in a profile',
    effect: 'write',
    sends: true,
    ends: ['cancelled'],
    flags: loginFlags,
    way: { login: true, stores: true },
    notes: [
      '--store keychain uses the keychain of macOS or Windows, or the Secret Service of a Linux desktop. If that fails, nothing is stored.',
    ],
    examples: {
      'Log in with a credential from a file':
        'dtp auth login --base-url https://api.example.com --with-token < key.txt',
      'Log in with a separate profile': `dtp auth login --profile staging --base-url https://api.example.com \\
  --scheme api-key --with-token < key.txt`,
    },
  },
  'auth logout': {
    summary: 'Delete the stored credential of a profile',
    effect: 'write',
    way: { collectFaults: true, stores: true },
    names: false,
    examples: {
      'Delete the credential of the current profile': 'dtp auth logout',
      'Delete the credential of another profile': 'dtp auth logout --profile staging',
    },
  },
  'auth move': {
    summary: 'Move the stored credential to the keychain or the file',
    effect: 'write',
    flags: moveFlags,
    way: { stores: true },
    names: false,
    examples: {
      'Move the credential to the keychain': 'dtp auth move --to keychain',
      'Move the credential of another profile back to the file': 'dtp auth move --to file --profile staging',
    },
  },
  'auth status': {
    summary: 'Check the credential and show where it comes from',
    watches: true,
    sends: true,
    notes: ["It works whichever workspace is selected, and warns if that is not the credential's."],
    examples: {
      'Show the credential in use': 'dtp auth status',
      'Check the credential in a script (exits with 4 if it is not valid)':
        "dtp auth status -o json > /dev/null && echo 'logged in'",
    },
  },
  'auth oidc-token': {
    summary: 'Print the OIDC token of the current CI job',
    sends: true,
    flags: oidcTokenFlags,
    notes: ['On GitHub Actions, the job needs permissions: { id-token: write }.'],
    examples: {
      'Link the owner of a repository from GitHub Actions': `dtp auth oidc-token --audience platform |
  dtp codehost access link --codehost-org acme --codehost-oidc-token -`,
      'Save the token of a GitLab job': 'dtp auth oidc-token --variable DTP_ID_TOKEN > oidc.jwt',
    },
  },
  'ws use': {
    summary: 'Set the default workspace of the profile',
    effect: 'write',
    sends: true,
    asks: true,
    way: { stores: true },
    args: [{ name: 'workspace', help: 'id, name or slug (default: prompt for it)' }],
    names: false,
    examples: {
      'Use a workspace by its name': 'dtp ws use petstore',
      'Set the workspace of another profile': 'dtp ws use petstore --profile staging',
    },
  },
  'events get': {
    summary: 'Show one event',
    sends: true,
    asks: true,
    args: [{ name: 'id', help: 'id of the event, or its beginning' }],
    ends: ['not_found'],
    notes: ['It looks through the newest events first, because the API has no request for one event.'],
    examples: {
      'Print the error of an event': 'dtp events get e-2 -r --query error',
      'Show the newest event that failed': `id=$(dtp events search --no-success --limit 1 -r --query '[0].id')
dtp events get "$id" -o yaml`,
    },
  },
  'events tail': {
    summary: 'Follow events as they arrive',
    sends: true,
    flags: tailFlags,
    notes: [
      'On a terminal it prints a line for each event, elsewhere one JSON event per line (-o ndjson). If the service ' +
        'cannot be reached, it says so and continues when the service is back. Ctrl-C ends it with exit code 0.',
      'Each event is shown once. An event that arrives more than 90 s after its created_at is shown only if it is among ' +
        'the 1,000 newest.',
    ],
    examples: {
      'Follow failures, beginning with those of the last hour': 'dtp events tail --since 1h --no-success',
      'Wait for the next event of a run that fails, and print its error':
        'dtp events tail --execution-id run-77 --no-success --limit 1 | jq -r .error',
    },
  },
  'events queue list': {
    summary: 'List queued batches',
    watches: true,
    examples: {
      'List queued batches': 'dtp events queue list',
      'Print the number of queued batches': "dtp events queue list --query 'length(@)'",
    },
  },
  'events queue flush': {
    summary: 'Deliver the queued events for the current base URL',
    effect: 'write',
    sends: true,
    ends: ['partial', 'kept'],
    flags: flushFlags,
    names: false,
    notes: [
      'It sends the events of the selected workspace, or of all workspaces if none is selected. It exits with 75 if any event is left in the queue, also one for another workspace or service, and if --timeout expires.',
    ],
    examples: {
      'Deliver queued events': 'dtp events queue flush',
      'Send rejected events again': 'dtp events queue flush --rejected',
    },
  },
  'events queue drop': {
    summary: 'Delete queued batches',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'id', many: true, help: 'ids from dtp events queue list' }],
    flags: dropFlags,
    names: false,
    examples: {
      'Delete rejected batches': 'dtp events queue drop --rejected --yes',
      'Delete batches older than 30 days': 'dtp events queue drop --older-than 30d --yes',
    },
  },
  'artifacts pull': {
    summary: 'Pull a revision into a folder and verify its digests',
    sends: true,
    asks: true,
    args: [
      // The argument is optional for commander, because dtp prompts for it on a terminal.
      { name: 'ref', help: 'NAMESPACE[:TAG], ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST' },
    ],
    notes: [
      'In NAMESPACE@DIGEST, 4 characters of the digest are enough, if they are unique. A revision of another workspace needs the full digest.',
      '-O DIR sets the folder (default: ./NAMESPACE). --force replaces the contents of an existing folder.',
    ],
    shows: ['dry-run'],
    ownsFile: true,
    examples: {
      'Pull a tag into the folder pets': 'dtp artifacts pull pets:v1',
      'Pull the latest revision and replace the contents of a folder': 'dtp artifacts pull pets -O spec --force',
    },
  },
  'artifacts push': {
    summary: 'Push an API document or a folder as a revision',
    effect: 'write',
    sends: true,
    asks: true,
    args: [
      { name: 'file', help: 'OpenAPI document, or a folder that contains openapi.yaml, .yml or .json' },
      { name: 'revision', optional: true, help: 'NAMESPACE[:TAG]; the namespace is created if it does not exist' },
    ],
    flags: pushFlags,
    shows: ['dry-run'],
    examples: {
      'Push a document and the files it refers to': 'dtp artifacts push openapi.yaml pets:v2 --tag latest',
      'Push a folder and print the digest': 'dtp artifacts push spec pets -r --query digest',
    },
  },
  api: {
    summary: 'Call any API path',
    effect: 'write',
    sends: true,
    args: [{ name: 'path', required: true, help: 'path, such as /v1/workspace/{workspace_id}' }],
    flags: apiFlags,
    notes: [
      `These are filled in from the settings: ${placeholderList}.`,
      'For GET and HEAD, -F and -f set query parameters instead of body fields.',
    ],
    shows: ['dry-run', 'curl'],
    examples: {
      'Call a path; the workspace id is filled in': "dtp api '/v1/workspace/{workspace_id}/tokens'",
      'Send a POST with a body': `dtp api '/v1/workspace/{workspace_id}/tokens' -f name=ci -i`,
    },
  },
} as const satisfies LocalCommands;
