/** Declares the known fields of records that users send. The API document does not list them, so others are allowed. */
import { eventFields, usualEventFields } from './event-fields.ts';
import type { RecordFields } from './operation.ts';

export const records: Readonly<Record<string, RecordFields>> = {
  AddTags: {
    revision_digest: ['string', 'revision to tag: tag, or digest (4 characters of it are enough, if unique)'],
    tags: ['string[]', 'tags to point at that revision'],
  },
  CliEvent: eventFields,
  CodehostConfigureCodeSamplesRequest: {
    org: ['string', 'owner of the repository'],
    repo: ['string', 'name of the repository'],
    targetName: ['string', 'target whose code samples are configured'],
  },
  CodehostConfigureDocsiteRepoRequest: {
    org: ['string', 'owner of the repository'],
    repo: ['string', 'name of the repository'],
    subdirectory: ['string?', 'folder of the documentation site in the repository'],
    input: ['string', 'API document the site is built from'],
    overlays: ['string[]', 'overlays applied to that document'],
  },
  CodehostConfigureTargetRequest: {
    org: ['string', 'owner of the repository'],
    repo_name: ['string', 'name of the repository'],
  },
  CodehostStorePublishingSecretsRequest: {
    generate_gen_lock_id: ['string', 'lock id of the target'],
    secrets: ['json?', 'object of secret names and values'],
  },
  CodehostTriggerActionRequest: {
    org: ['string', 'owner of the repository'],
    repo_name: ['string', 'name of the repository'],
    target_name: ['string?', 'target to run (default: all)'],
    gen_lock_id: ['string', 'lock id of the target'],
    set_version: ['string?', 'version to release instead of the computed one'],
    force: ['boolean?', 'generate even if nothing changed'],
  },
  Diagnostic: {
    message: ['string', 'what is wrong'],
    path: ['string[]', 'where in the document, as path segments'],
    type: ['string', 'kind of problem'],
    helpMessage: ['string?', 'how to fix it'],
  },
  OASInfo: {
    title: ['string', "the API's title"],
    summary: ['string', 'one-line summary'],
    description: ['string', 'longer description'],
    version: ['string', 'version of the document'],
    license: ['json', 'license object of the document'],
  },
  OASOperation: {
    method: ['string', 'HTTP method'],
    path: ['string', 'path template'],
    operation_id: ['string', 'operationId in the document'],
    description: ['string', "the operation's description"],
    tags: ['string[]', "the operation's tags"],
    method_name_override: ['string?', 'method name that replaces the derived one'],
    group_override: ['string?', 'group that replaces the derived one'],
  },
  OASSummary: {
    info: ['OASInfo', "the document's info object"],
    operations: ['OASOperation[]', "the document's operations, in brief"],
  },
  Organization: {
    id: ['string', 'set by the service', 'service'],
    name: ['string', 'display name'],
    slug: ['string', 'name used in URLs'],
    account_type: ['AccountType', 'plan'],
    telemetry_disabled: ['boolean', 'turn telemetry off for the organization'],
    created_at: ['datetime', 'set by the service', 'service'],
    updated_at: ['datetime', 'set by the service', 'service'],
    free_trial_expiry: ['datetime|null?', 'set by the service', 'service'],
    sso_connection_id: ['string|null?', 'id of the single sign-on connection'],
    sso_activated: ['boolean', 'whether single sign-on is on'],
    internal: ['boolean?', 'set by the service', 'service'],
  },
  OrganizationBillingAddOnRequest: { add_ons: ['BillingAddOn[]', 'add-ons to buy'] },
  PreflightRequest: { namespace_name: ['string', 'namespace that will be pushed to or pulled from'] },
  RemoteDocument: { registry_url: ['string', 'registry URL of a document: org/workspace/namespace[:tag]'] },
  RemoteSource: {
    inputs: ['RemoteDocument[]', 'documents to merge, in this order'],
    overlays: ['RemoteDocument[]?', 'overlays applied after the merge'],
    output: ['RemoteDocument', 'where the merged document is stored'],
  },
  Report: { type: ['enum(linting,changes)?', 'kind of report'] },
  SuggestItemsRequestBody: {
    prompt: ['string', 'instruction that applies to every item'],
    items: ['string[]', 'items; each gets one suggestion'],
  },
  SuggestOptsOld: {
    suggestion_type: ['enum(method-names,diagnostics-only)', 'what to suggest'],
    diagnostics: ['Diagnostic[]?', 'problems the suggestion should fix'],
  },
  SuggestRequestBody: {
    oas_summary: ['OASSummary', 'the document in brief: info and operations'],
    suggestion_type: ['enum(method-names,diagnostics-only)', 'what to suggest'],
    diagnostics: ['Diagnostic[]', 'problems the suggestion should fix'],
  },
  Workspace: {
    created_at: ['datetime', 'set by the service', 'service'],
    id: ['string', 'set by the service', 'service'],
    name: ['string', 'display name'],
    organization_id: ['string', 'organization of the workspace: id, name or slug'],
    slug: ['string', 'name used in URLs'],
    inactive: ['boolean?', 'set by the service', 'service'],
    telemetry_disabled: ['boolean?', 'deprecated: set it on the organization'],
    updated_at: ['datetime', 'set by the service', 'service'],
    verified: ['boolean', 'set by the service', 'service'],
  },
  WorkspaceFeatureFlagRequest: { feature_flags: ['WorkspaceFeatureFlag[]', 'flags that are then on'] },
  WorkspaceSettings: {
    workspace_id: ['string', 'set by the service', 'service'],
    webhook_url: ['string', 'URL that is called on events'],
    created_at: ['datetime', 'set by the service', 'service'],
    updated_at: ['datetime', 'set by the service', 'service'],
  },
  WorkspaceToken: {
    id: ['string', 'set by the service', 'service'],
    name: ['string', 'display name'],
    workspace_id: ['string', 'set by the service', 'service'],
    alg: ['string', 'set by the service', 'service'],
    key: ['string', 'set by the service', 'service'],
    last_used: ['datetime|null?', 'set by the service', 'service'],
    created_at: ['datetime', 'set by the service', 'service'],
    created_by: ['string|null?', 'set by the service', 'service'],
    created_by_name: ['string|null?', 'set by the service', 'service'],
    created_by_photo_url: ['string|null?', 'set by the service', 'service'],
    email: ['string|null?', 'set by the service', 'service'],
  },
};

/** The fields that help shows first, for records with many fields. */
export const usualFields: Readonly<Record<string, readonly string[]>> = { CliEvent: usualEventFields };

/** The languages of code samples in the embedded service. The platform may know more. */
export const codeLanguages = ['curl', 'typescript', 'python', 'go', 'java', 'csharp', 'ruby', 'swift'] as const;

/** The known values of the named enums. Other values are allowed. */
export const enumValues: Readonly<Record<string, readonly string[]>> = {
  AccountType: ['free', 'scale-up', 'business', 'enterprise'],
  BillingAddOn: ['webhooks', 'sdk_testing', 'custom_code_regions', 'snippet_ai'],
  CodeLanguage: codeLanguages,
  CodeSamplesJobStatus: ['pending', 'running'],
  HttpMethod: ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'],
  InteractionType: [
    'CI_EXEC',
    'CLI_EXEC',
    'LINT',
    'OPENAPI_DIFF',
    'TARGET_GENERATE',
    'TOMBSTONE',
    'AUTHENTICATE',
    'QUICKSTART',
    'RUN',
    'CONFIGURE',
    'PUBLISH',
    'TEST',
  ],
  WorkspaceFeatureFlag: ['schema_registry', 'changes_report', 'skip_schema_registry', 'webhooks'],
};
