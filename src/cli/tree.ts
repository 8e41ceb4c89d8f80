/** The groups of commands: the nouns, and how one is found or made. */
import type { Command } from 'commander';

/** The nouns, in the order of the document's headings. */
const nouns: Readonly<Record<string, string>> = {
  auth: 'Credentials and access',
  'code-samples': 'Usage snippets for an API',
  'code-samples jobs': 'Snippets made in the background',
  codehost: 'The integration with a code host',
  'codehost setup': 'How far the integration is set up',
  'codehost access': 'Access to repositories',
  'codehost publishing-prs': 'Pull requests that publish',
  'codehost publishing-secrets': 'Secrets for publishing',
  'codehost configure': 'Configure a repository',
  'codehost actions': 'The workflow action',
  orgs: 'Organizations, usage and billing',
  'orgs free-trial': 'The free trial',
  'orgs usage': 'Billing usage',
  'orgs add-ons': 'Billing add-ons',
  'publishing-tokens': 'Tokens that authorize publishing',
  ws: 'Workspaces',
  'ws settings': 'Settings of a workspace',
  'ws team': 'Who may use a workspace',
  'ws tokens': 'Tokens of a workspace',
  'ws feature-flags': 'Feature flags of a workspace',
  events: 'Events and targets',
  'events spool': 'Events that are kept until they are delivered',
  'events targets': 'Targets that have events',
  reports: 'Lint and change reports',
  suggest: 'Suggestions for an API description',
  'schema-store': 'The public store of API descriptions',
  'short-urls': 'Short URLs',
  artifacts: 'The artifact registry',
  'artifacts namespaces': 'Namespaces, which hold revisions',
  'artifacts revisions': 'Revisions of a namespace',
  'artifacts tags': 'Tags of revisions',
  'artifacts remote-sources': 'Remote sources of a namespace',
  'artifacts manifests': 'Manifests',
  'artifacts blobs': 'Blobs',
  subscriptions: 'Subscriptions to namespaces',
};

/** The command of these nouns, made where it is absent. */
export function groupOf(program: Command, names: readonly string[]): Command {
  let group = program;
  names.forEach((name, index) => {
    const known = group.commands.find((one) => one.name() === name);
    group = known ?? group.command(name).description(nouns[names.slice(0, index + 1).join(' ')] ?? '');
  });
  return group;
}
