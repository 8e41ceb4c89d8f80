/** The story's organization, usage and billing steps. */
import { expect } from 'vitest';
import type { Step } from './step.ts';

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
export const organizations: readonly Step[] = [
  {
    says: 'an organization is created',
    id: 'createOrganization',
    argv: () => ['orgs', 'create', '--name', 'Acme', '--yes'],
    record: 'Organization',
    check: (value, state) => Object.assign(state, { organization: value.id }),
  },
  {
    says: 'it exists',
    id: 'getOrganization',
    argv: ({ organization }) => ['orgs', 'get', organization as string],
    record: 'Organization',
    check: (value) => expect(value.name).toBe('Acme'),
  },
  {
    says: 'and is in the list',
    id: 'getOrganizations',
    argv: () => ['orgs', 'list'],
    record: 'Organization[]',
    check: (value) => expect(names(value)).toContain('Acme'),
  },
  {
    says: 'an unknown one is not found',
    id: 'getOrganization',
    argv: () => ['orgs', 'get', 'none'],
    code: 6,
  },
  {
    says: 'the free trial starts',
    id: 'createFreeTrial',
    argv: () => ['orgs', 'free-trial', 'create', '--yes'],
    empty: true,
  },
  {
    says: 'a second one is rejected',
    id: 'createFreeTrial',
    argv: () => ['orgs', 'free-trial', 'create', '--yes'],
    code: 7,
  },
  {
    says: 'usage shows the trial',
    id: 'getOrganizationUsage',
    argv: () => ['orgs', 'usage', 'get'],
    record: 'OrganizationUsageResponse',
    check: (value) => expect(value.free_trial_expiry).toMatch(/^20/),
  },
  {
    says: 'add-ons are bought',
    id: 'createBillingAddOns',
    argv: () => ['orgs', 'add-ons', 'create', '--add-ons', 'webhooks', '--add-ons', 'snippet_ai', '--yes'],
    record: 'OrganizationBillingAddOnResponse',
  },
  {
    says: 'one is canceled',
    id: 'deleteBillingAddOn',
    argv: () => ['orgs', 'add-ons', 'delete', 'webhooks', '--yes'],
    empty: true,
  },
  {
    says: 'the other one remains',
    id: 'getBillingAddOns',
    argv: () => ['orgs', 'add-ons', 'list'],
    record: 'OrganizationBillingAddOnResponse',
    check: (value) => expect(value.add_ons).toEqual(['snippet_ai']),
  },
];
