/** Declares the operations of the API's Organizations table. */
import { defineOperation } from './operation.ts';
import { plan } from './shared.ts';

const columns = ['id', 'name', 'slug', 'account_type', 'created_at'] as const;

export const getOrganizations = defineOperation({
  id: 'getOrganizations',
  command: ['orgs', 'list'],
  summary: 'List organizations',
  method: 'GET',
  path: '/v1/organizations',
  input: {},
  result: 'list',
  screen: ['name', 'slug', 'id', 'account_type', 'created_at'],
  columns,
});

export const createOrganization = defineOperation({
  id: 'createOrganization',
  command: ['orgs', 'create'],
  summary: 'Create an organization',
  method: 'POST',
  path: '/v1/organization',
  input: {
    body: { in: 'body', kind: 'json', required: true, record: 'Organization', help: 'organization' },
  },
  result: 'record',
  effect: 'bill',
  simplified: plan,
});

export const getOrganization = defineOperation({
  id: 'getOrganization',
  command: ['orgs', 'get'],
  summary: 'Show an organization',
  method: 'GET',
  path: '/v1/organization/{organizationID}',
  input: {
    organizationID: { in: 'path', kind: 'string', required: true, help: 'organization: id, name or slug' },
  },
  result: 'record',
});

export const createFreeTrial = defineOperation({
  id: 'createFreeTrial',
  command: ['orgs', 'free-trial', 'create'],
  summary: 'Start the free trial of the organization',
  method: 'POST',
  path: '/v1/organization/free_trial',
  input: {},
  result: 'none',
  workspace: 'credential',
  effect: 'bill',
  simplified: plan,
});

export const getOrganizationUsage = defineOperation({
  id: 'getOrganizationUsage',
  command: ['orgs', 'usage', 'get'],
  summary: 'Show the billing usage by target language',
  method: 'GET',
  path: '/v1/organization/usage',
  input: {},
  result: 'record',
  workspace: 'credential',
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

export const createBillingAddOns = defineOperation({
  id: 'createBillingAddOns',
  command: ['orgs', 'add-ons', 'create'],
  summary: 'Buy billing add-ons for the organization',
  method: 'POST',
  path: '/v1/organization/add_ons',
  input: {
    body: {
      in: 'body',
      kind: 'json',
      required: true,
      record: 'OrganizationBillingAddOnRequest',
      help: 'add-ons to buy',
    },
  },
  result: 'record',
  workspace: 'credential',
  names: 'add_ons[]',
  effect: 'bill',
  simplified: plan,
});

export const getBillingAddOns = defineOperation({
  id: 'getBillingAddOns',
  command: ['orgs', 'add-ons', 'list'],
  summary: 'List the billing add-ons of the organization',
  method: 'GET',
  path: '/v1/organization/add_ons',
  input: {},
  result: 'record',
  workspace: 'credential',
  rows: 'add_ons',
  simplified: plan,
});

export const deleteBillingAddOn = defineOperation({
  id: 'deleteBillingAddOn',
  command: ['orgs', 'add-ons', 'delete'],
  summary: 'Cancel a billing add-on',
  method: 'DELETE',
  path: '/v1/organization/add_ons/{add_on}',
  input: {
    add_on: { in: 'path', kind: 'string', required: true, record: 'BillingAddOn', help: 'add-on to cancel' },
  },
  result: 'none',
  workspace: 'credential',
  effect: 'bill',
  simplified: plan,
});
