/** Defines the environment variables that are not in settings.ts. */
import type { Scheme } from '../operations/schemes.ts';
import type { LongFlag } from './types.ts';

/** The variables for credentials. If several are set, the first one here is used (records.md, Security schemes). */
export const credentialVariables = {
  DTP_API_KEY: { scheme: 'api-key', help: 'API key' },
  DTP_TOKEN: { scheme: 'bearer', help: 'bearer token; ignored if DTP_API_KEY is set' },
  DTP_WORKSPACE_IDENTIFIER: {
    scheme: 'workspace-identifier',
    help: 'workspace identifier; ignored if DTP_API_KEY or DTP_TOKEN is set',
  },
} as const satisfies Readonly<Record<string, { readonly scheme: Scheme; readonly help: string }>>;

/** `flag` has the same effect. */
export const variables: Readonly<Record<string, { readonly help: string; readonly flag?: LongFlag }>> = {
  REQUEST_METHOD: { help: 'if set, as in a CGI script, HTTP_PROXY is ignored' },
  NODE_EXTRA_CA_CERTS: { help: 'file of additional trusted certificates (PEM), read by Node' },
  NODE_DISABLE_COMPILE_CACHE: { help: 'if set, Node does not cache compiled code' },
  DTP_NO_INPUT: { help: 'if on, never prompt', flag: '--no-input' },
  DTP_NO_PROGRESS: { help: 'if on, no progress display', flag: '--no-progress' },
  CI: { help: 'if on: no prompts, no progress display, no color' },
  DTP_DEBUG: { help: 'if on, log like --debug does', flag: '--debug' },
  DTP_OUTPUT_FILE: { help: 'file to which each command appends its outcome as a line of JSON' },
  GITHUB_ACTIONS: { help: 'if on, also print annotations, and mask the secrets of results' },
  ACTIONS_ID_TOKEN_REQUEST_URL: { help: 'set by the runner, for dtp auth oidc-token' },
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: { help: 'set by the runner, for dtp auth oidc-token' },
  GITHUB_STEP_SUMMARY: { help: 'file of the job summary, set by the runner; empty: no summary' },
  GITLAB_CI: { help: 'set by the runner, for auth oidc-token --variable, init --ci and long lists in the log' },
  BROWSER: { help: 'program that opens URLs; %s in it stands for the URL' },
  SUDO_UID: { help: 'set by sudo; hints never take files away from this user' },
  NO_COLOR: { help: 'if not empty, no color' },
  FORCE_COLOR: { help: 'if on, use color even without a terminal, except in JSON; if off, no color' },
  TERM: { help: 'if dumb: no color, no progress display, ASCII symbols only; if linux: ASCII symbols only' },
  LC_ALL: { help: 'locale; if C, POSIX or not UTF-8, ASCII symbols only on a terminal' },
  LC_CTYPE: { help: 'the same; ignored if LC_ALL is set' },
  LANG: { help: 'the same; ignored if LC_ALL or LC_CTYPE is set' },
  TERM_PROGRAM: { help: 'set by the terminal; for some values, URLs are clickable links' },
  VTE_VERSION: { help: 'set by the terminal; if 5000 or higher, URLs are clickable links' },
  WT_SESSION: { help: 'set by Windows Terminal, where URLs are clickable links' },
  DTP_EXECUTION_ID: { help: 'execution id for events without one' },
  DTP_QUEUE_MAX_BYTES: { help: 'maximum size of queued events, in bytes (default: 1 GiB)' },
  DTP_QUEUE_MAX_DAYS: { help: 'age in days after which only dtp events queue flush sends queued events (default: 30)' },
  DTP_CONFIG_DIR: { help: 'folder of the profiles and of the list of trusted files' },
  DTP_DATA_DIR: { help: "folder of the embedded service's data" },
  DTP_DATABASE_URL: { help: 'URL of the libSQL server for dtp serve (--database)' },
  DTP_DATABASE_TOKEN: { help: 'token for that server' },
  DTP_DATABASE_TOKEN_COMMAND: { help: 'command that prints the token, run again when the token has expired' },
  DTP_STATE_DIR: { help: 'folder of queued events, caches and the URL that dtp open opens' },
  XDG_CONFIG_HOME: { help: 'parent folder of the profiles, unless DTP_CONFIG_DIR is set' },
  XDG_DATA_HOME: { help: "parent folder of the embedded service's data, unless DTP_DATA_DIR is set" },
  XDG_STATE_HOME: { help: 'parent folder of queued events and caches, unless DTP_STATE_DIR is set' },
  HOME: { help: 'home folder, which contains the folders above by default' },
  BASH_COMPLETION_USER_DIR: { help: 'where bash looks for completions' },
  SHELL: { help: 'shell that dtp init offers completions for' },
  FPATH: { help: 'where zsh looks for completions' },
  ZDOTDIR: { help: 'folder of .zshrc' },
  MSYSTEM: { help: 'set by Git Bash; commands to paste are then for a POSIX shell' },
  APPDATA: { help: 'parent folder of the profiles on Windows' },
  LOCALAPPDATA: { help: "parent folder of queued events, caches and the embedded service's data on Windows" },
};
