/** Lists example commands for the Auth, Organizations, Publishing tokens and Workspaces areas. */
import type { Examples } from '../operation.ts';

export const access = {
  validateApiKey: {
    'Show the permissions of the credential': 'dtp auth validate',
    'Print the slugs of the organization and the workspace':
      "dtp auth validate -r --query '[org_slug, workspace_slug]'",
  },
  getUser: {
    'Show the current user': 'dtp auth user',
    'Print only your e-mail address': 'dtp auth user -r --query email',
  },
  getAccessToken: {
    'Get the token of another workspace': 'dtp auth token -w ws_2c81 --fields access_token',
    'Use the token for one command instead of an exported API key': `DTP_API_KEY= DTP_TOKEN=$(dtp auth token -w ws_2c81 -r --query access_token) \\
  dtp ws get -w ws_2c81`,
  },
  getWorkspaceAccess: {
    'Check without counting in the metrics': 'dtp auth access --passive',
    'Check one target in a script': `dtp auth access --lock-id sdk-ts --target-type typescript \\
  -r --query generation_allowed`,
  },
  getOrganizations: {
    'List the organizations': 'dtp orgs list',
    'Print names and plans as CSV': 'dtp orgs list -o csv --fields name,account_type',
  },
  createOrganization: {
    'Create an organization': 'dtp orgs create --name Acme --yes',
    'Pass a JSON body and print the id': `org=$(dtp orgs create --body '{"name":"Acme","slug":"acme"}' --yes -o name)
dtp orgs get "$org"`,
  },
  getOrganization: {
    'Show an organization': 'dtp orgs get org_91be',
    'Show the first organization as YAML': 'dtp orgs list -o name | head -1 | xargs dtp orgs get -o yaml',
  },
  createFreeTrial: {
    'Start the trial in a script': 'dtp orgs free-trial create --yes',
    'Print the request without sending it': 'dtp orgs free-trial create --dry-run',
  },
  getOrganizationUsage: {
    'Show usage by language': 'dtp orgs usage get',
    'Print the number of operations of each language as CSV': `dtp orgs usage get -o csv \\
  --query 'usage[].{language: language, operations: number_of_operations}'`,
  },
  createBillingAddOns: {
    'Buy an add-on': 'dtp orgs add-ons create --add-ons webhooks --yes',
    'Buy two add-ons at once': `dtp orgs add-ons create --yes \\
  -F 'add_ons[]=sdk_testing' -F 'add_ons[]=custom_code_regions'`,
  },
  getBillingAddOns: {
    'List the add-ons': 'dtp orgs add-ons list',
    'Print one add-on per line': 'dtp orgs add-ons list -r --query add_ons',
  },
  deleteBillingAddOn: {
    'Cancel an add-on': 'dtp orgs add-ons delete webhooks --yes',
    'Print the request without sending it': 'dtp orgs add-ons delete webhooks --dry-run',
  },
  getPublishingToken: {
    'List the publishing tokens': 'dtp publishing-tokens list',
    'Print when each token expires': 'dtp publishing-tokens list -o tsv --fields token_name,valid_until',
  },
  createPublishingToken: {
    'Create a token and save it in a file': `dtp publishing-tokens create --name docs --lock-id sdk-ts \\
  --target-resource document --valid-until 90d \\
  -r --query token -O token.txt`,
    'Read the body from a file, but set another name':
      'dtp publishing-tokens create --body @publishing.json --name beta',
  },
  getPublishingTokenByID: {
    'Show a token': 'dtp publishing-tokens get ptk_5e20',
    'Print the expiration time': 'dtp publishing-tokens get ptk_5e20 -r --query valid_until',
  },
  updatePublishingTokenExpiration: {
    'Extend a token': 'dtp publishing-tokens update ptk_5e20 --valid-until 2031-06-30T00:00:00Z',
    'Change the name and the expiration time': `dtp publishing-tokens update ptk_5e20 -f token_name=docs-2031 \\
  -f valid_until=2031-06-30T00:00:00Z`,
  },
  deletePublishingToken: {
    'Delete a token without a prompt': 'dtp publishing-tokens delete ptk_5e20 --yes',
    'Delete the tokens of a deleted target': `dtp publishing-tokens list -r --query "[?target_id=='old'].id" |
  xargs -r -n 1 dtp publishing-tokens delete --yes`,
  },
  getPublishingTokenTargetByID: {
    'Show the target of a token': 'dtp publishing-tokens target ptk_5e20',
    'Print the target without quotes, for a script':
      'target=$(dtp publishing-tokens target ptk_5e20 -r)\necho "$target"',
  },
  getPublishingTokenPublicMetadata: {
    'Show the public metadata of a token': 'dtp publishing-tokens metadata ptk_5e20',
    'Show two fields of the metadata': 'dtp publishing-tokens metadata ptk_5e20 --fields target_id,valid_until',
  },
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
