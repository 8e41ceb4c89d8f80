/** The environment variables that no row of settings.ts names, each with what it does. */
import type { Scheme } from '../operations/schemes.ts';
import type { LongFlag } from './types.ts';

/** The variables of a credential. If more than one is set, the first of them is used (records.md, Security schemes). */
export const credentialVariables = {
  DTP_API_KEY: { scheme: 'api-key', help: 'the credential, where it is an API key' },
  DTP_TOKEN: {
    scheme: 'bearer',
    help: 'the credential, if it is a bearer token; ignored if DTP_API_KEY is set',
  },
  DTP_WORKSPACE_IDENTIFIER: {
    scheme: 'workspace-identifier',
    help: 'the credential, if it is a workspace identifier; ignored if one of those two is set',
  },
} as const satisfies Readonly<Record<string, { readonly scheme: Scheme; readonly help: string }>>;

export interface Variable {
  readonly help: string;
  /** The flag that does the same. */
  readonly flag?: LongFlag;
}

export const variables: Readonly<Record<string, Variable>> = {
  REQUEST_METHOD: { help: 'set to anything, as web servers do for what they run: HTTP_PROXY is not read' },
  NODE_EXTRA_CA_CERTS: { help: 'a file of certificates to trust as well (PEM), beside that of DTP_CA_CERT' },
  NODE_DISABLE_COMPILE_CACHE: { help: 'set to anything: Node keeps nothing of what it compiles' },
  DTP_NO_INPUT: { help: 'set to anything: nothing is asked', flag: '--no-input' },
  DTP_NO_PROGRESS: { help: 'set to anything: no movement on stderr', flag: '--no-progress' },
  CI: { help: 'set to anything: nothing is asked, nothing moves, nothing is coloured' },
  DTP_DEBUG: { help: 'set to anything: requests, headers and retries on stderr', flag: '--debug' },
  DTP_OUTPUT_FILE: { help: 'a file that gets a line of JSON for each command: how it ended' },
  GITHUB_ACTIONS: { help: 'true: failures and warnings are annotations too' },
  ACTIONS_ID_TOKEN_REQUEST_URL: { help: "the runner's, for dtp auth oidc-token" },
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: { help: 'the same' },
  GITLAB_CI: { help: 'the same; there --variable names the token' },
  NO_COLOR: { help: 'set to anything: no colour' },
  FORCE_COLOR: { help: 'set to anything but 0: colour even without a terminal' },
  TERM: { help: 'dumb is a terminal without colour and movement' },
  DTP_EXECUTION_ID: { help: 'the execution id of events that have none' },
  DTP_SPOOL_MAX_BYTES: { help: 'the most bytes of events that are kept (1 GiB)' },
  DTP_SPOOL_MAX_DAYS: { help: 'the age in days beyond which kept events wait for a flush (30)' },
  DTP_CONFIG_DIR: { help: 'the folder of the profiles, and of which folder files are trusted' },
  DTP_DATA_DIR: { help: "the folder of the embedded service's store" },
  DTP_STATE_DIR: { help: 'the folder of the events that are kept, and of what is remembered' },
  XDG_CONFIG_HOME: { help: 'where DTP_CONFIG_DIR is not set: the folder that holds it' },
  XDG_DATA_HOME: { help: 'the same for DTP_DATA_DIR' },
  XDG_STATE_HOME: { help: 'the same for DTP_STATE_DIR' },
  BASH_COMPLETION_USER_DIR: { help: 'where bash looks for completions, for dtp completion --install' },
  FPATH: { help: 'the same of zsh' },
  ZDOTDIR: { help: 'where the .zshrc is that it looks into' },
  APPDATA: { help: 'the same for all three, on Windows' },
};
