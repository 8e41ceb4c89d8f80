/** Lists example commands for the Workspaces area. */
import type { Examples } from '../operation.ts';

export const workspaces = {
  getWorkspaces: {
    'List the workspaces': 'dtp ws list',
    'Print the ids of the workspaces for another command': 'dtp ws list -o name',
  },
  getWorkspaceByContext: {
    'Show the workspace of the credential': 'dtp ws current',
    'Print only the name of the workspace': 'dtp ws current -r --query workspace.name',
  },
  createWorkspace: {
    'Create a workspace': 'dtp ws create --name Staging --slug staging',
    'Pass a JSON body; unknown fields are sent too': `dtp ws create --body '{"name":"Staging","team":"payments"}' -o name`,
  },
  getWorkspace: {
    'Show the current workspace': 'dtp ws get',
    'Show another workspace as YAML': 'dtp ws get -w ws_2c81 -o yaml',
  },
  updateWorkspaceDetails: {
    'Rename a workspace': 'dtp ws update -w ws_2c81 --name Production',
    'Set a field to true instead of the string "true"': 'dtp ws update -w ws_2c81 -F verified=true',
  },
  getWorkspaceSettings: {
    'Show the settings': 'dtp ws settings get',
    'Print one setting': 'dtp ws settings get -r --query webhook_url',
  },
  updateWorkspaceSettings: {
    'Send events to a webhook': 'dtp ws settings update --webhook-url https://hooks.example.com/dtp',
    'Read the settings from a file': 'dtp ws settings update --body @settings.yaml',
  },
  getWorkspaceTeam: {
    'List the members of the team': 'dtp ws team list',
    'Print the e-mail addresses of the admins': "dtp ws team list -r --query 'users[?admin].email'",
  },
  grantUserAccessToWorkspace: {
    'Invite a colleague': 'dtp ws team grant ann@example.com',
    'Invite everyone listed in a file': 'xargs -n 1 dtp ws team grant -o json < team.txt',
  },
  revokeUserAccessToWorkspace: {
    'Revoke access': 'dtp ws team revoke usr_8d13 --yes',
    'Find a user by e-mail address and revoke access': `id=$(dtp ws team list -r --query "users[?email=='ann@example.com'].id")
dtp ws team revoke "$id" --yes`,
  },
  getWorkspaceTokens: {
    'List the tokens': 'dtp ws tokens list',
    'List the tokens that were never used': "dtp ws tokens list --query '[?last_used == `null`].name' -r",
  },
  createWorkspaceToken: {
    'Create a token': 'dtp ws tokens create --name ci',
    'Create a token with a JSON body and print the key': `dtp ws tokens create --body '{"name":"deploy"}' -r --query key`,
  },
  deleteWorkspaceToken: {
    'Delete a token without a prompt': 'dtp ws tokens delete tok_4f9a --yes',
    'Delete all tokens that have a given name': `dtp ws tokens list -r --query "[?name=='old-ci'].id" |
  xargs -r -n 1 dtp ws tokens delete --yes`,
  },
  setWorkspaceFeatureFlags: {
    'Set a feature flag': 'dtp ws feature-flags set --feature-flags webhooks',
    'Set two feature flags': `dtp ws feature-flags set \\
  --body '{"feature_flags":["webhooks","schema_registry"]}'`,
  },
  getWorkspaceFeatureFlags: {
    'Show the feature flags': 'dtp ws feature-flags get',
    'Print only the names of the flags': "dtp ws feature-flags get -r --query 'feature_flags[].feature_flag'",
  },
} as const satisfies Examples;
