/** Handles the operations of the Organizations area. */
import type * as area from '../../operations/organizations.ts';
import { type Handlers, type IdsOf, Refusal, replyWith, type Scope } from '../handler.ts';
import { jsonObject, requiredString, requiredStrings } from '../http/fields.ts';
import { addOnsOf, usageOf } from '../tenancy/plans.ts';
import { addOrganization, extendReach, findOrganization, organizationsOf, slugOf } from '../tenancy/tenants.ts';

const TRIAL_MS = 14 * 24 * 60 * 60 * 1000;

const addOns = ({ store, caller }: Scope) => ({ add_ons: addOnsOf(store, caller.organizationId) });

export const organizations = {
  getOrganizations: (_, { store, caller }) => organizationsOf(store, caller),

  createOrganization: ({ body }, { store, caller, now }) => {
    const given = jsonObject(body);
    const name = requiredString(given, 'name');
    const slug = slugOf(given, name);
    return store.transaction(() => {
      const made = addOrganization(store, given, { name, slug, userId: caller.userId, now: now() });
      extendReach(store, caller, made.id);
      return made;
    });
  },

  getOrganization: ({ organizationID: id }, { store, caller }) => {
    const organization = findOrganization(store, id);
    if (organizationsOf(store, caller).some((one) => one.id === id)) return organization;
    throw new Refusal(403, `you have no access to organization ${id}`);
  },

  createFreeTrial: (_, { store, caller, now }) =>
    store.transaction(() => {
      const organization = findOrganization(store, caller.organizationId);
      if (organization.free_trial_expiry) throw new Refusal(409, 'the organization has already had a free trial');
      const started = {
        ...organization,
        free_trial_expiry: new Date(now().getTime() + TRIAL_MS).toISOString(),
        updated_at: now().toISOString(),
      };
      store.update('organizations', { id: caller.organizationId }, { record: JSON.stringify(started) });
      return undefined;
    }),

  getOrganizationUsage: (_, scope) => {
    const { store, caller, now } = scope;
    return usageOf(scope, findOrganization(store, caller.organizationId), now(), caller.reach);
  },

  createBillingAddOns: ({ body }, scope) => {
    const add_ons = requiredStrings(jsonObject(body), 'add_ons');
    // The API document lists known add-ons, but clients may send others.
    if (add_ons.includes('')) throw new Refusal(422, 'add_ons must not contain an empty string');
    const { store, caller } = scope;
    store.transaction(() => {
      for (const add_on of add_ons)
        store.insert('billing_add_ons', { organization_id: caller.organizationId, add_on }, 'ignore');
    });
    return addOns(scope);
  },

  getBillingAddOns: (_, scope) => addOns(scope),

  deleteBillingAddOn: ({ add_on }, { store, caller }) => {
    const deleted = store.delete('billing_add_ons', { organization_id: caller.organizationId, add_on });
    if (deleted === 0) throw new Refusal(404, `the organization has no add-on ${add_on}`);
    return replyWith(200, {});
  },
} satisfies Handlers<IdsOf<typeof area>>;
