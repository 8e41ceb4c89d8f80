/** The settings that a user gives a profile; apart, so that conf is not loaded for their names. */
import type { Profile } from './profiles.ts';

/** What `dtp config set` sets. The credential and its origin are not among them: they are set together, by a login. */
export const profileKeys = [
  { key: 'base_url', kind: 'string', help: "the service's address; local: is the embedded service" },
  { key: 'scheme', kind: 'string', help: 'api-key, bearer or workspace-identifier' },
  { key: 'credential_command', kind: 'string', help: 'a command that prints the credential' },
  { key: 'workspace', kind: 'string', help: 'the workspace' },
  { key: 'organization_slug', kind: 'string', help: "the organization of the profile's own credential" },
  {
    key: 'workspace_slug',
    kind: 'string',
    help: "the slug of the workspace of the profile's own credential",
  },
  { key: 'words.codehost', kind: 'string', help: 'the word for the code host in paths' },
  { key: 'words.docsite', kind: 'string', help: 'the word for the documentation site in paths' },
  { key: 'timeout', kind: 'integer', help: 'seconds until a command gives up' },
  { key: 'output', kind: 'string', help: 'the output format' },
  { key: 'header.api-key', kind: 'string', help: 'the header that carries an API key' },
  {
    key: 'header.workspace-identifier',
    kind: 'string',
    help: 'the header that carries a workspace identifier',
  },
  { key: 'ca_cert', kind: 'string', help: 'a file of certificates to trust as well' },
  { key: 'allow_http', kind: 'boolean', help: 'send the credential over plain http too' },
] as const satisfies readonly {
  readonly key: keyof Profile;
  readonly kind: 'string' | 'integer' | 'boolean';
  readonly help: string;
}[];
