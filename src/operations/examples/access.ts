/** Lists example commands for the Auth, Organizations and Publishing tokens areas. */
import type { Examples } from './example.ts';

export const access = {
  validateApiKey: [
    { says: 'Show the permissions of the credential', command: 'dtp auth validate' },
    {
      says: 'Print the slugs of the organization and the workspace',
      command: "dtp auth validate -r --query '[org_slug, workspace_slug]'",
    },
  ],
  getUser: [
    { says: 'Show the current user', command: 'dtp auth user' },
    { says: 'Print only your e-mail address', command: 'dtp auth user -r --query email' },
  ],
  getAccessToken: [
    {
      says: 'Get the token of another workspace',
      command: 'dtp auth token -w ws_2c81 --fields access_token',
    },
    {
      says: 'Use the token for one command instead of an exported API key',
      command: `DTP_API_KEY= DTP_TOKEN=$(dtp auth token -w ws_2c81 -r --query access_token) \\
  dtp ws get -w ws_2c81`,
    },
  ],
  getWorkspaceAccess: [
    { says: 'Check without counting in the metrics', command: 'dtp auth access --passive' },
    {
      says: 'Check one target in a script',
      command: `dtp auth access --lock-id sdk-ts --target-type typescript \\
  -r --query generation_allowed`,
    },
  ],
  getOrganizations: [
    { says: 'List the organizations', command: 'dtp orgs list' },
    { says: 'Print names and plans as CSV', command: 'dtp orgs list -o csv --fields name,account_type' },
  ],
  createOrganization: [
    { says: 'Create an organization', command: 'dtp orgs create --name Acme --yes' },
    {
      says: 'Pass a JSON body and print the id',
      command: `org=$(dtp orgs create --body '{"name":"Acme","slug":"acme"}' --yes -o name)
dtp orgs get "$org"`,
    },
  ],
  getOrganization: [
    { says: 'Show an organization', command: 'dtp orgs get org_91be' },
    {
      says: 'Show the first organization as YAML',
      command: 'dtp orgs list -o name | head -1 | xargs dtp orgs get -o yaml',
    },
  ],
  createFreeTrial: [
    { says: 'Start the trial in a script', command: 'dtp orgs free-trial create --yes' },
    { says: 'Print the request without sending it', command: 'dtp orgs free-trial create --dry-run' },
  ],
  getOrganizationUsage: [
    { says: 'Show usage by language', command: 'dtp orgs usage get' },
    {
      says: 'Print the number of operations of each language as CSV',
      command: `dtp orgs usage get -o csv \\
  --query 'usage[].{language: language, operations: number_of_operations}'`,
    },
  ],
  createBillingAddOns: [
    { says: 'Buy an add-on', command: 'dtp orgs add-ons create --add-ons webhooks --yes' },
    {
      says: 'Buy two add-ons at once',
      command: `dtp orgs add-ons create --yes \\
  -F 'add_ons[]=sdk_testing' -F 'add_ons[]=custom_code_regions'`,
    },
  ],
  getBillingAddOns: [
    { says: 'List the add-ons', command: 'dtp orgs add-ons list' },
    { says: 'Print one add-on per line', command: 'dtp orgs add-ons list -r --query add_ons' },
  ],
  deleteBillingAddOn: [
    { says: 'Cancel an add-on', command: 'dtp orgs add-ons delete webhooks --yes' },
    { says: 'Print the request without sending it', command: 'dtp orgs add-ons delete webhooks --dry-run' },
  ],
  getPublishingToken: [
    { says: 'List the publishing tokens', command: 'dtp publishing-tokens list' },
    {
      says: 'Print when each token expires',
      command: 'dtp publishing-tokens list -o tsv --fields token_name,valid_until',
    },
  ],
  createPublishingToken: [
    {
      says: 'Create a token and save it in a file',
      command: `dtp publishing-tokens create --name docs --lock-id sdk-ts \\
  --target-resource document --valid-until 90d \\
  -r --query token -O token.txt`,
    },
    {
      says: 'Read the body from a file, but set another name',
      command: 'dtp publishing-tokens create --body @publishing.json --name beta',
    },
  ],
  getPublishingTokenByID: [
    { says: 'Show a token', command: 'dtp publishing-tokens get ptk_5e20' },
    {
      says: 'Print the expiration time',
      command: 'dtp publishing-tokens get ptk_5e20 -r --query valid_until',
    },
  ],
  updatePublishingTokenExpiration: [
    {
      says: 'Extend a token',
      command: 'dtp publishing-tokens update ptk_5e20 --valid-until 2031-06-30T00:00:00Z',
    },
    {
      says: 'Change the name and the expiration time',
      command: `dtp publishing-tokens update ptk_5e20 -f token_name=docs-2031 \\
  -f valid_until=2031-06-30T00:00:00Z`,
    },
  ],
  deletePublishingToken: [
    {
      says: 'Delete a token without a prompt',
      command: 'dtp publishing-tokens delete ptk_5e20 --yes',
    },
    {
      says: 'Delete the tokens of a deleted target',
      command: `dtp publishing-tokens list -r --query "[?target_id=='old'].id" |
  xargs -n 1 dtp publishing-tokens delete --yes`,
    },
  ],
  getPublishingTokenTargetByID: [
    { says: 'Show the target of a token', command: 'dtp publishing-tokens target ptk_5e20' },
    {
      says: 'Print the target without quotes, for a script',
      command: 'target=$(dtp publishing-tokens target ptk_5e20 -r)\necho "$target"',
    },
  ],
  getPublishingTokenPublicMetadata: [
    { says: 'Show the public metadata of a token', command: 'dtp publishing-tokens metadata ptk_5e20' },
    {
      says: 'Show two fields of the metadata',
      command: 'dtp publishing-tokens metadata ptk_5e20 --fields target_id,valid_until',
    },
  ],
} as const satisfies Examples;
