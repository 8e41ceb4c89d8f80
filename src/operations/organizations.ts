/** Declares the operations of the API's Organizations table. */
import { defineOperation, defineOwn, inBody, inPath, plan } from './operation.ts';

/** What a change of the plan has. */
const billed = { effect: 'bill', simplified: plan } as const;

export const getOrganizations = defineOperation('GET /v1/organizations', {
  command: ['orgs', 'list'],
  summary: 'List organizations',
  result: 'list',
  screen: ['name', 'slug', 'id', 'account_type', 'created_at'],
  columns: ['id', 'name', 'slug', 'account_type', 'created_at'],
});

export const createOrganization = defineOperation('POST /v1/organization', {
  command: ['orgs', 'create'],
  summary: 'Create an organization',
  input: { body: inBody('Organization', 'organization') },
  ...billed,
});

export const getOrganization = defineOperation('GET /v1/organization/{organizationID}', {
  command: ['orgs', 'get'],
  summary: 'Show an organization',
  input: { organizationID: inPath('organization: id, name or slug') },
});

export const createFreeTrial = defineOwn('POST /v1/organization/free_trial', {
  command: ['orgs', 'free-trial', 'create'],
  summary: 'Start the free trial of the organization',
  result: 'none',
  ...billed,
});

export const getOrganizationUsage = defineOwn('GET /v1/organization/usage', {
  command: ['orgs', 'usage', 'get'],
  summary: 'Show the billing usage by target language',
  rows: 'usage',
  columns: ['language', 'number_of_operations', 'max_operations', 'accessible', 'used_features'],
  screen: [
    'language',
    { title: 'OPERATIONS', from: ['number_of_operations'] },
    { title: 'LIMIT', from: ['max_operations'] },
    'accessible',
    'used_features',
  ],
  simplified: plan,
});

export const createBillingAddOns = defineOwn('POST /v1/organization/add_ons', {
  command: ['orgs', 'add-ons', 'create'],
  summary: 'Buy billing add-ons for the organization',
  input: { body: inBody('OrganizationBillingAddOnRequest', 'add-ons to buy') },
  names: 'add_ons[]',
  ...billed,
});

export const getBillingAddOns = defineOwn('GET /v1/organization/add_ons', {
  command: ['orgs', 'add-ons', 'list'],
  summary: 'List the billing add-ons of the organization',
  rows: 'add_ons',
  simplified: plan,
});

export const deleteBillingAddOn = defineOwn('DELETE /v1/organization/add_ons/{add_on}', {
  command: ['orgs', 'add-ons', 'delete'],
  summary: 'Cancel a billing add-on',
  input: { add_on: { in: 'path', kind: 'string', required: true, record: 'BillingAddOn', help: 'add-on to cancel' } },
  result: 'none',
  ...billed,
});
