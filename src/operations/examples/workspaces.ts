/** Lists example commands for the Workspaces area. */
import type { Examples } from './example.ts';

export const workspaces = {
  getWorkspaces: [
    { says: 'List the workspaces', command: 'dtp ws list' },
    { says: 'Print the ids of the workspaces for another command', command: 'dtp ws list -o name' },
  ],
  getWorkspaceByContext: [
    { says: 'Show the workspace of the credential', command: 'dtp ws current' },
    { says: 'Print only the name of the workspace', command: 'dtp ws current -r --query workspace.name' },
  ],
  createWorkspace: [
    { says: 'Create a workspace', command: 'dtp ws create --name Staging --slug staging' },
    {
      says: 'Pass a JSON body; unknown fields are sent too',
      command: `dtp ws create --body '{"name":"Staging","team":"payments"}' -o name`,
    },
  ],
  getWorkspace: [
    { says: 'Show the current workspace', command: 'dtp ws get' },
    { says: 'Show another workspace as YAML', command: 'dtp ws get -w ws_2c81 -o yaml' },
  ],
  updateWorkspaceDetails: [
    { says: 'Rename a workspace', command: 'dtp ws update -w ws_2c81 --name Production' },
    {
      says: 'Set a field to true instead of the string "true"',
      command: 'dtp ws update -w ws_2c81 -F verified=true',
    },
  ],
  getWorkspaceSettings: [
    { says: 'Show the settings', command: 'dtp ws settings get' },
    { says: 'Print one setting', command: 'dtp ws settings get -r --query webhook_url' },
  ],
  updateWorkspaceSettings: [
    {
      says: 'Send events to a webhook',
      command: 'dtp ws settings update --webhook-url https://hooks.example.com/dtp',
    },
    { says: 'Read the settings from a file', command: 'dtp ws settings update --body @settings.yaml' },
  ],
  getWorkspaceTeam: [
    { says: 'List the members of the team', command: 'dtp ws team list' },
    {
      says: 'Print the e-mail addresses of the admins',
      command: "dtp ws team list -r --query 'users[?admin].email'",
    },
  ],
  grantUserAccessToWorkspace: [
    { says: 'Invite a colleague', command: 'dtp ws team grant ann@example.com' },
    {
      says: 'Invite everyone listed in a file',
      command: 'xargs -n 1 dtp ws team grant -o json < team.txt',
    },
  ],
  revokeUserAccessToWorkspace: [
    { says: 'Revoke access', command: 'dtp ws team revoke usr_8d13 --yes' },
    {
      says: 'Find a user by e-mail address and revoke access',
      command: `id=$(dtp ws team list -r --query "users[?email=='ann@example.com'].id")
dtp ws team revoke "$id" --yes`,
    },
  ],
  getWorkspaceTokens: [
    { says: 'List the tokens', command: 'dtp ws tokens list' },
    {
      says: 'List the tokens that were never used',
      command: "dtp ws tokens list --query '[?last_used == `null`].name' -r",
    },
  ],
  createWorkspaceToken: [
    { says: 'Create a token', command: 'dtp ws tokens create --name ci' },
    {
      says: 'Create a token with a JSON body and print the key',
      command: `dtp ws tokens create --body '{"name":"deploy"}' -r --query key`,
    },
  ],
  deleteWorkspaceToken: [
    { says: 'Delete a token without a prompt', command: 'dtp ws tokens delete tok_4f9a --yes' },
    {
      says: 'Delete all tokens that have a given name',
      command: `dtp ws tokens list -r --query "[?name=='old-ci'].id" |
  xargs -n 1 dtp ws tokens delete --yes`,
    },
  ],
  setWorkspaceFeatureFlags: [
    { says: 'Set a feature flag', command: 'dtp ws feature-flags set --feature-flags webhooks' },
    {
      says: 'Set two feature flags',
      command: `dtp ws feature-flags set \\
  --body '{"feature_flags":["webhooks","schema_registry"]}'`,
    },
  ],
  getWorkspaceFeatureFlags: [
    { says: 'Show the feature flags', command: 'dtp ws feature-flags get' },
    {
      says: 'Print only the names of the flags',
      command: "dtp ws feature-flags get -r --query 'feature_flags[].feature_flag'",
    },
  ],
} as const satisfies Examples;
