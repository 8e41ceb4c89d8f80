/** The commands whose screens are in test/screens, by the name of the file. */
import { digests, ids, keys, urls } from './screen-answers.ts';

interface Command {
  readonly line: string;
  /** The exit code, if it is not 0. */
  readonly code?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Ctrl-C is typed once this is on the screen. */
  readonly until?: string;
}

export const screenCommands: Readonly<Record<string, Command>> = {
  dtp: { line: 'dtp' },
  'ws-help': { line: 'dtp ws --help' },
  'ws-list': { line: 'dtp ws list' },
  'ws-list-json': { line: 'dtp ws list -o json' },
  'ws-get': { line: 'dtp ws get' },
  'ws-current': { line: 'dtp ws current' },
  'ws-tokens-create': { line: 'dtp ws tokens create --name deploy' },
  'ws-tokens-list': { line: 'dtp ws tokens list' },
  'ws-tokens-delete': { line: 'dtp ws tokens delete ci --yes' },
  'ws-tokens-delete-unknown': { line: 'dtp ws tokens delete nope --yes', code: 6 },
  'ws-tokens-delete-missing': { line: 'dtp ws tokens delete --no-input', code: 2 },
  'ws-tokens-create-dry-run': { line: 'dtp ws tokens create --name deploy --dry-run' },
  'events-search': { line: 'dtp events search --limit 4' },
  'events-search-failed': { line: 'dtp events search --no-success' },
  'events-tail': { line: 'dtp events tail --since 1d', until: 'TARGET_GENERATE' },
  'events-post': { line: 'dtp events post --body @event.json' },
  'artifacts-push': { line: 'dtp artifacts push openapi.yaml petstore:v1' },
  'artifacts-tags-list': { line: 'dtp artifacts tags list petstore' },
  'artifacts-revisions-list': { line: 'dtp artifacts revisions list petstore' },
  'code-samples-preview': { line: 'dtp code-samples preview openapi.yaml --language typescript' },
  'code-samples-get': {
    line: 'dtp code-samples get --registry-url registry.example.com/acme/main/petstore:v1 --language typescript',
  },
  'orgs-get': { line: `dtp orgs get ${ids.organization}` },
  'publishing-tokens-list': { line: 'dtp publishing-tokens list' },
  'publishing-tokens-get': { line: 'dtp publishing-tokens get ci' },
  'reports-upload': { line: 'dtp reports upload lint.html --type linting' },
  'schema-store-get': { line: 'dtp schema-store get sch_1b9f' },
  'short-urls-create': { line: `dtp short-urls create --url '${urls.document}'` },
  'codehost-actions-get': { line: 'dtp codehost actions get -R acme/petstore' },
  'run-failed': {
    line: 'dtp codehost actions trigger -R acme/petstore --lock-id petstore-python --target-name python --wait',
    code: 14,
  },
  suggest: { line: 'dtp suggest from-summary openapi.yaml' },
  api: { line: "dtp api '/v1/workspace/{workspace_id}/tokens'" },
  'config-explain': { line: 'dtp config explain' },
  'config-list': { line: 'dtp config list' },
  'auth-status': { line: 'dtp auth status' },
  'auth-user': { line: 'dtp auth user' },
  doctor: { line: 'dtp doctor' },
  'unknown-command': { line: 'dtp ws lst', code: 2 },
  unauthorized: { line: 'dtp ws list', code: 4, env: { DTP_API_KEY: 'k-2', DTP_WORKSPACE_ID: '' } },
};

/** The files of the home folder in which the commands run. */
export const screenFiles: Readonly<Record<string, string>> = {
  'event.json': '{"interaction_type":"CLI_EXEC","success":true}\n',
  'openapi.yaml': `openapi: 3.1.0
info: { title: Petstore, version: 1.0.0 }
paths:
  /pets:
    get:
      responses: { '200': { description: All pets } }
`,
  'lint.html': '<!doctype html><title>Lint</title>\n',
};

/** Values that stay in one piece at every width. */
export const wholeValues: readonly string[] = [ids, digests, keys, urls].flatMap((some) => Object.values(some));
