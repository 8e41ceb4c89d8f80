/** Examples of the Auth, Organizations and Publishing tokens areas. */
import type { Examples } from './example.ts';

export const access = {
  validateApiKey: [
    { says: 'Show what the credential may do', command: 'dtp auth validate' },
    {
      says: 'The slugs of its organization and workspace, a line each',
      command: "dtp auth validate -r --query '[org_slug, workspace_slug]'",
    },
  ],
  getUser: [
    { says: 'Show who you are', command: 'dtp auth user' },
    { says: 'Your e-mail address alone', command: 'dtp auth user -r --query email' },
  ],
  getAccessToken: [
    {
      says: 'Get the token of another workspace',
      command: 'dtp auth token -w ws_2c81 --fields access_token',
    },
    {
      says: 'Use it for one command, in place of an exported API key',
      command: `DTP_API_KEY= DTP_TOKEN=$(dtp auth token -w ws_2c81 -r --query access_token) \\
  dtp ws get -w ws_2c81`,
    },
  ],
  getWorkspaceAccess: [
    { says: 'Look, without being counted', command: 'dtp auth access --passive' },
    {
      says: 'Ask for one target, in a script',
      command: `dtp auth access --gen-lock-id sdk-ts --target-type typescript \\
  -r --query generation_allowed`,
    },
  ],
  getOrganizations: [
    { says: 'List the organizations', command: 'dtp orgs list' },
    { says: 'Names and plans as CSV', command: 'dtp orgs list -o csv --fields name,account_type' },
  ],
  createOrganization: [
    { says: 'Create an organization by flags', command: 'dtp orgs create --name Acme --yes' },
    {
      says: 'By a body, and keep its id',
      command: `org=$(dtp orgs create --body '{"name":"Acme","slug":"acme"}' --yes -o name)
dtp orgs get "$org"`,
    },
  ],
  getOrganization: [
    { says: 'Show an organization', command: 'dtp orgs get org_91be' },
    {
      says: 'The first of the list, as YAML',
      command: 'dtp orgs list -o name | head -1 | xargs dtp orgs get -o yaml',
    },
  ],
  createFreeTrial: [
    { says: 'Start the trial, in a script', command: 'dtp orgs free-trial create --yes' },
    { says: 'See the request first; nothing is sent', command: 'dtp orgs free-trial create --dry-run' },
  ],
  getOrganizationUsage: [
    { says: 'Show what is used, by language', command: 'dtp orgs usage get' },
    {
      says: 'Operations of each language as CSV',
      command: `dtp orgs usage get -o csv \\
  --query 'usage[].{language: language, operations: number_of_operations}'`,
    },
  ],
  createBillingAddOns: [
    { says: 'Buy an add-on', command: 'dtp orgs add-ons create --add-ons webhooks --yes' },
    {
      says: 'Buy two at once',
      command: `dtp orgs add-ons create --yes \\
  -F 'add_ons[]=sdk_testing' -F 'add_ons[]=custom_code_regions'`,
    },
  ],
  getBillingAddOns: [
    { says: 'List the add-ons', command: 'dtp orgs add-ons list' },
    { says: 'One on each line', command: 'dtp orgs add-ons list -r --query add_ons' },
  ],
  deleteBillingAddOn: [
    { says: 'Cancel an add-on', command: 'dtp orgs add-ons delete webhooks --yes' },
    { says: 'See the request first; nothing is sent', command: 'dtp orgs add-ons delete webhooks --dry-run' },
  ],
  getPublishingToken: [
    { says: 'List the publishing tokens', command: 'dtp publishing-tokens list' },
    {
      says: 'When each of them expires',
      command: 'dtp publishing-tokens list -o tsv --fields token_name,valid_until',
    },
  ],
  createPublishingToken: [
    {
      says: 'Create a token by flags, and keep it in a file',
      command: `dtp publishing-tokens create --token-name docs --target-id sdk-ts \\
  --target-resource document --valid-until 2030-01-01T00:00:00Z \\
  -r --query token -O token.txt`,
    },
    {
      says: 'By a file, with another name',
      command: 'dtp publishing-tokens create --body @publishing.json --token-name beta',
    },
  ],
  getPublishingTokenByID: [
    { says: 'Show a token', command: 'dtp publishing-tokens get ptk_5e20' },
    {
      says: 'When it expires',
      command: 'dtp publishing-tokens get ptk_5e20 -r --query valid_until',
    },
  ],
  updatePublishingTokenExpiration: [
    {
      says: 'Let a token live longer',
      command: 'dtp publishing-tokens update ptk_5e20 --valid-until 2031-06-30T00:00:00Z',
    },
    {
      says: 'And give it another name',
      command: `dtp publishing-tokens update ptk_5e20 -f token_name=docs-2031 \\
  -f valid_until=2031-06-30T00:00:00Z`,
    },
  ],
  deletePublishingToken: [
    {
      says: 'Delete a token; on a terminal it asks first',
      command: 'dtp publishing-tokens delete ptk_5e20 --yes',
    },
    {
      says: 'Delete those of a target that is gone',
      command: `dtp publishing-tokens list -r --query "[?target_id=='old'].id" |
  xargs -n 1 dtp publishing-tokens delete --yes`,
    },
  ],
  getPublishingTokenTargetByID: [
    { says: 'Show what a token is bound to', command: 'dtp publishing-tokens target ptk_5e20' },
    {
      says: 'Without quotes, in a script',
      command: 'target=$(dtp publishing-tokens target ptk_5e20 -r)\necho "$target"',
    },
  ],
  getPublishingTokenPublicMetadata: [
    { says: 'Show what everyone may know of a token', command: 'dtp publishing-tokens metadata ptk_5e20' },
    {
      says: 'Two members of it',
      command: 'dtp publishing-tokens metadata ptk_5e20 --fields target_id,valid_until',
    },
  ],
} as const satisfies Examples;
