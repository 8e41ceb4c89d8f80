/** Defines the confirmation question for each operation that needs one. */
import type { WithIds } from '../invocation/names-shape.ts';
import { fieldsOf } from '../json-object.ts';
import type { OperationId, Operations } from '../operations/index.ts';
import type { Input } from '../operations/operation.ts';
import { visible } from '../render/sanitize.ts';
import { shortId } from '../render/short.ts';

export interface QuestionDetails extends WithIds {
  /** The slug of the credential's organization, if it is known. */
  readonly organization?: string | undefined;
  /** The host of the service. If there is no other name to type, the user types the host to confirm. */
  readonly host: string;
}

/** One or two sentences, and for operations that cost money, the name that the user must type to confirm. */
export type Question = string | { readonly text: string; readonly type: string };

type Asking<Effect> = {
  [Id in OperationId]: Operations[Id] extends { readonly effect: Effect } ? Id : never;
}[OperationId];

const final = 'This cannot be undone.';
const costs = 'This may incur charges.';

type Published = 'setVisibility' | 'createSchemaStoreItem';

type Questions = Readonly<Record<Asking<'destroy' | 'bill'> | Published, (asked: QuestionDetails) => Question>>;

/** The questions by operation id. The compiler reports an operation without a question. */
export const questions: Questions = {
  deleteWorkspaceToken: (asked) =>
    `Delete token ${thing(asked, 'tokenID')}? Programs that use it lose access at once. ${final}`,
  deletePublishingToken: (asked) =>
    `Delete publishing token ${thing(asked, 'tokenID')}? Programs that use it can no longer publish. ${final}`,
  revokeUserAccessToWorkspace: (asked) =>
    `Remove ${thing(asked, 'userId')} from the workspace? The keys of this user will stop working.`,
  archiveNamespace: (asked) => `Archive namespace ${thing(asked, 'namespace_name')}?`,
  setVisibility: (asked) =>
    `Make namespace ${thing(asked, 'namespace_name')} public? Everyone will be able to read it.`,
  createSchemaStoreItem: ({ input }) =>
    `Store the API document${ofPackage(input)} publicly? Everyone will be able to read it. ${final}`,
  createOrganization: ({ input, host }) => {
    const name = text(fieldsOf(input.body).name);
    return { text: `Create organization ${name ? quoted(name) : `at ${visible(host)}`}? ${costs}`, type: name || host };
  },
  createFreeTrial: ({ organization, host }) => ({
    text: `Start the free trial of ${whose(organization, host)}? ${costs}`,
    type: organization || host,
  }),
  createBillingAddOns: ({ input, organization, host }) => {
    const { add_ons } = fieldsOf(input.body);
    const bought = Array.isArray(add_ons) ? add_ons.map(String).join(' ').trim() : '';
    return {
      text: `Buy add-ons${bought && ` ${quoted(bought)}`} for ${whose(organization, host)}? ${costs}`,
      type: bought || organization || host,
    };
  },
  deleteBillingAddOn: ({ input }) => ({
    text: `Cancel add-on ${quoted(text(input.add_on))}? ${final} ${costs}`,
    type: text(input.add_on),
  }),
};

/** Returns the question for an operation id. Undefined if the operation needs no confirmation. */
export const questionFor = (id: string): ((asked: QuestionDetails) => Question) | undefined =>
  new Map(Object.entries(questions)).get(id);

/** Returns the name and the short id of a thing. If it was not looked up, returns the value that the user gave. */
function thing({ input, names }: QuestionDetails, field: string): string {
  const given = text(input[field]);
  const { id, name } = names[field] ?? { id: given, name: given };
  return name === id ? quoted(name) : `${quoted(name)} (${visible(shortId(id))})`;
}

function ofPackage(input: Input): string {
  const name = text(input.packageName ?? fieldsOf(input.body).packageName);
  return name && ` of package ${quoted(name)}`;
}

const whose = (organization: string | undefined, host: string): string =>
  organization ? `organization ${quoted(organization)}` : `the organization at ${visible(host)}`;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const quoted = (name: string): string => `"${visible(name)}"`;
