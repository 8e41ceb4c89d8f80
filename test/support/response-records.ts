/**
 * The fields of records that only the service returns, as the API document lists them. The tests compare the answers of
 * the embedded service with them. Records that users also send are in src/operations/records.ts.
 */
import { eventFields } from '../../src/operations/event-fields.ts';

/** The type of each field, in the syntax of parseType. */
type Known = Readonly<Record<string, string>>;

/** Returns fields that have the same types as in an event, by their names. */
const ofEvents = (names: string): Known => {
  const all: Readonly<Record<string, readonly [type: string, ...unknown[]]>> = eventFields;
  return Object.fromEntries(names.match(/\w+/g)?.map((name) => [name, all[name]?.[0] ?? '']) ?? []);
};

export const responseRecords: Readonly<Record<string, Known>> = {
  AccessDetails: {
    generation_allowed: 'boolean',
    message: 'string',
    level: 'enum(allowed,warning,blocked)?',
  },
  AccessToken: {
    access_token: 'string',
    claims: 'json',
    user: 'json',
    workspaces: 'json[]?',
    feature_flags: 'FeatureFlag[]?',
  },
  Annotations: {
    'org.opencontainers.image.created': 'string?',
    'org.opencontainers.image.authors': 'string?',
    'org.opencontainers.image.url': 'string?',
    'org.opencontainers.image.documentation': 'string?',
    'org.opencontainers.image.source': 'string?',
    'org.opencontainers.image.version': 'string?',
    'org.opencontainers.image.revision': 'string?',
    'org.opencontainers.image.vendor': 'string?',
    'org.opencontainers.image.licenses': 'string?',
    'org.opencontainers.image.ref.name': 'string?',
    'org.opencontainers.image.title': 'string?',
    'org.opencontainers.image.description': 'string?',
  },
  ApiKeyDetails: {
    workspace_id: 'string',
    workspace_slug: 'string',
    org_slug: 'string',
    generation_access_unlimited: 'boolean?',
    account_type_v2: 'AccountType',
    enabled_features: 'string[]',
    billing_add_ons: 'BillingAddOn[]',
    feature_flags: 'string[]?',
    telemetry_disabled: 'boolean',
    workspace_created_at: 'datetime',
  },
  CodehostConfigureCodeSamplesResponse: {
    source: 'WorkflowDocument',
    codeSampleOverlayRegistryURL: 'string',
    ghActionID: 'string?',
  },
  CodehostGetActionResponse: {
    run_url: 'string?',
    run_status: 'string?',
  },
  CodehostMissingPublishingSecretsResponse: {
    missing_secrets: 'string[]?',
  },
  CodehostPublishingPRResponse: {
    pull_request: 'string?',
    pending_version: 'string?',
    pull_request_metadata: 'json?',
  },
  CodehostSetupStateResponse: {
    app_installed: 'boolean',
    actions: 'json',
    secrets: 'json',
  },
  Error: {
    message: 'string',
    status_code: 'integer',
  },
  FeatureFlag: {
    feature_flag: 'WorkspaceFeatureFlag',
    trial_ends_at: 'datetime|null?',
  },
  GetNamespacesResponse: {
    items: 'Namespace[]',
  },
  GetRevisionsResponse: {
    items: 'Revision[]',
    next_page_token: 'string',
  },
  GetTagsResponse: {
    items: 'Tag[]',
  },
  Manifest: {
    schemaVersion: 'integer?',
    mediaType: 'string?',
    artifactType: 'string?',
    annotations: 'Annotations?',
    layers: 'V2Descriptor[]?',
  },
  Namespace: {
    id: 'string',
    name: 'string',
    created_at: 'datetime',
    updated_at: 'datetime',
    public: 'boolean?',
    archived_at: 'datetime?',
    latest_revision_metadata: 'RevisionContentsMetadata?',
    composite_spec_metadata: 'json?',
  },
  OrganizationBillingAddOnResponse: {
    add_ons: 'BillingAddOn[]',
  },
  OrganizationUsage: {
    number_of_operations: 'integer',
    max_operations: 'integer',
    language: 'string',
    used_features: 'string[]',
    accessible_features: 'string[]',
    accessible: 'boolean',
    workspaces: 'string[]',
    gen_lock_ids: 'string[]',
  },
  OrganizationUsageResponse: {
    usage: 'OrganizationUsage[]',
    free_trial_expiry: 'datetime?',
    total_allowed_languages: 'integer',
    allowed_languages: 'string[]',
  },
  PreflightToken: {
    auth_token: 'string',
    namespace_id: 'string?',
  },
  PublishingToken: {
    id: 'string',
    token: 'string',
    valid_until: 'datetime',
    token_name: 'string',
    target_id: 'string',
    target_resource: 'enum(document)',
    created_at: 'datetime',
    updated_at: 'datetime?',
    created_by: 'string',
    updated_by: 'string?',
    organization_id: 'string',
    workspace_id: 'string',
  },
  RemoteSourceSubscriptionSettings: {
    base_spec_namespaces: 'string[]',
    overlay_namespaces: 'string[]',
    ignored_namespaces: 'string[]?',
    output_namespace: 'string',
  },
  Revision: {
    id: 'string',
    digest: 'string',
    namespace_name: 'string',
    tags: 'string[]',
    contents_metadata: 'RevisionContentsMetadata?',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
  RevisionContentsMetadata: {
    type: 'enum(OPENAPI_BUNDLE,OPENAPI_OVERLAY)',
    workspace_id: 'string',
    namespace: 'string',
    revision_digest: 'string',
    title: 'string',
    description: 'string',
    version: 'string',
    hash: 'string',
    tags: 'string[]',
    operation_ids: 'string[]',
    num_overlay_actions: 'integer',
    contains_code_samples: 'boolean',
    created_at: 'datetime',
  },
  SSOMetadata: {
    sso_activated: 'boolean',
    sso_domains: 'string[]',
  },
  SchemaStoreItem: {
    id: 'string',
    spec: 'string',
    packageName: 'string',
    sdkClassname: 'string',
    created_at: 'datetime',
    format: 'enum(json,yaml)',
  },
  ShortURL: {
    short_url: 'string',
    full_url: 'string',
  },
  Tag: {
    id: 'string',
    name: 'string',
    namespace_name: 'string',
    revision_digest: 'string',
  },
  TargetSDK: {
    id: 'string',
    last_event_id: 'string',
    last_event_created_at: 'datetime',
    last_event_interaction_type: 'InteractionType',
    ...ofEvents(`
      success commit_head git_remote_default_owner git_remote_default_repo git_relative_cwd generate_target
      generate_target_name generate_gen_lock_id generate_target_version generate_config_post_version
      generate_gen_lock_pre_features generate_gen_lock_pre_version generate_eligible_features
      generate_number_of_operations_ignored generate_number_of_operations_used
      generate_number_of_terraform_resources generate_published continuous_integration_environment gh_action_ref
      gh_action_run_link gh_action_version gh_action_organization gh_action_repository repo_label hostname
      git_user_name git_user_email source_revision_digest source_blob_digest source_namespace_name error
      workflow_pre_raw workflow_post_raw workflow_lock_pre_raw workflow_lock_post_raw publish_package_url
      publish_package_name publish_package_version publish_package_registry_name
    `),
    success: 'boolean?',
    generate_target: 'string',
    generate_gen_lock_id: 'string',
    last_publish_created_at: 'datetime?',
    last_publish_gh_action_run_link: 'string?',
  },
  UsageSnippet: {
    path: 'string',
    method: 'string',
    operationId: 'string',
    language: 'string',
    code: 'string',
  },
  UsageSnippets: {
    snippets: 'UsageSnippet[]',
  },
  User: {
    id: 'string',
    email: 'string',
    email_verified: 'boolean',
    codehost_handle: 'string|null?',
    display_name: 'string',
    photo_url: 'string|null?',
    default_workspace_id: 'string|null?',
    confirmed: 'boolean',
    whitelisted: 'boolean',
    last_login_at: 'datetime|null?',
    admin: 'boolean',
    created_at: 'datetime',
    updated_at: 'datetime',
    internal: 'boolean?',
    pylon_identity_hash: 'string?',
    has_created_api_key: 'boolean?',
  },
  V2Descriptor: {
    digest: 'string?',
    mediaType: 'string?',
    size: 'integer?',
    annotations: 'Annotations?',
  },
  WorkflowDocument: {
    location: 'string',
    auth: 'json?',
  },
  WorkspaceAndOrganization: {
    workspace: 'Workspace',
    organization: 'Organization',
  },
  WorkspaceFeatureFlagResponse: {
    feature_flags: 'FeatureFlag[]?',
  },
  WorkspaceInviteResponse: {
    relationship: 'json',
    invite_link: 'string|null?',
  },
  WorkspaceTeamResponse: {
    users: 'User[]',
    sso_metadata: 'SSOMetadata?',
  },
};
