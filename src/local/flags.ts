/** The flags of the local commands, apart from their records, so that the code of a command has their types. */
import { schemes } from '../operations/schemes.ts';
import type { FlagSpecs } from '../tree/flag-spec.ts';
import { fieldFlags } from '../tree/flow-flags.ts';

/** Of `dtp api`. */
export const apiFlags = {
  method: { short: 'X', value: 'method', help: 'GET, or POST where there is a body' },
  body: { value: 'json', help: 'JSON or YAML, @FILE or - for standard input' },
  ...fieldFlags,
  header: {
    short: 'H',
    value: 'text',
    many: true,
    help: 'a header, such as "accept: text/plain" (may be repeated)',
  },
  paginate: { help: 'all pages, as one list' },
  include: {
    short: 'i',
    help: 'tell the status and the headers too: with -o raw first on stdout, else on stderr',
  },
} as const satisfies FlagSpecs;

/** Of `dtp artifacts push`. */
export const pushFlags = {
  namespace: { value: 'name', required: true, help: 'the namespace, made where it is absent' },
  tag: { value: 'tag', many: true, help: 'a tag, latest where none is given (may be repeated)' },
  include: {
    value: 'file',
    many: true,
    help: 'allow a hidden file, or one of another type, that the document refers to (may be repeated)',
  },
} as const satisfies FlagSpecs;

/** Of `dtp auth login`. */
export const loginFlags = {
  withToken: { help: 'read the credential from standard input' },
  scheme: { value: 'scheme', choices: schemes, help: 'what the credential is' },
} as const satisfies FlagSpecs;

/** Of `dtp auth oidc-token`. */
export const oidcTokenFlags = {
  audience: { value: 'name', help: 'whom the token is for; else what the runner takes' },
  variable: {
    value: 'name',
    help: 'the variable that holds the token, such as one of id_tokens on GitLab',
  },
} as const satisfies FlagSpecs;

/** Of `dtp completion`. */
export const completionFlags = {
  install: { help: 'write it where the shell looks for it, for this user' },
} as const satisfies FlagSpecs;

/** Of `dtp help`. */
export const helpFlags = {
  all: { help: 'show every field' },
  man: { value: 'folder', help: 'write the manual into a folder instead, a page for each command' },
} as const satisfies FlagSpecs;

/** Of `dtp mcp`. */
export const mcpFlags = {
  allowWrites: { help: 'also the tools that change things; else those that only read' },
  tools: {
    value: 'pattern',
    variadic: true,
    many: true,
    help: "only these tools, such as ws_tokens_list or 'events_*'",
  },
  root: {
    value: 'folder',
    variadic: true,
    many: true,
    help: 'folders whose files a tool may send (default: the working folder)',
  },
} as const satisfies FlagSpecs;

/** Of `dtp schema`. */
export const schemaFlags = {
  all: { help: 'every command with all that is known of it' },
  jsonSchema: { help: 'the JSON Schema of what is printed' },
} as const satisfies FlagSpecs;

/** Of `dtp serve` and `dtp dev`. */
export const serverFlags = {
  port: { value: 'number', default: '0', help: 'the port; 0 is any that is free' },
  data: { value: 'folder', help: 'where it keeps its store (default: the folder of the profile local)' },
  ephemeral: { help: 'keep everything in memory and leave nothing behind' },
  fail: {
    value: 'fault',
    many: true,
    help: "answer with a status: 'postWorkspaceEvents=503x2', '*=500@20%' (may be repeated)",
  },
  drop: {
    value: 'fault',
    many: true,
    help: "cut the connection: 'uploadReport=after-request' (may be repeated)",
  },
  latency: { value: 'time', help: 'wait before each answer, such as 200ms' },
} as const satisfies FlagSpecs;

/** Of `dtp events spool flush`. */
export const flushFlags = {
  rejected: { help: 'send what was rejected once more' },
} as const satisfies FlagSpecs;

/** Of `dtp events spool drop`. */
export const dropFlags = {
  olderThan: { value: 'days', help: 'those that are older' },
  rejected: { help: 'those that were rejected' },
  corrupt: { help: 'those that were damaged' },
  all: { help: 'all of them' },
} as const satisfies FlagSpecs;
