/** The exceptions of the rules in layers.test.ts, each with its reason. */

/** Functions of more than 60 lines, by file and name, each with the reason. */
export const longFunctions: Readonly<Record<string, string>> = {
  'commands/artifacts/http-registry.ts openRegistry': 'the requests of one registry share its URL',
  'flows/deliver.ts deliver': 'the state of one delivery, which no other code may change',
  'flows/lane.ts openLane': 'the state of one lane, which no other code may change',
  'input/files.ts openFiles': 'standard input is read once, by the first caller',
  'invocation/connect.ts connect': 'the credential and the retry of one connection',
  'mcp/roots.ts openRoots': 'the folders of one server, and everything that may be read in them',
  'output/journal.ts openJournal': 'the state of one journal',
  'store/spool.ts openSpool': 'the lock and the files of one spool',
};

/**
 * Files that open, write or delete files although they are in no room for that, each with the reason. The rooms are
 * `files` (paths that users name), `store` (files of dtp), `system` (the machine) and `service` (its data).
 */
export const fileSystemUsers: Readonly<Record<string, string>> = {
  'commands/artifacts/bundle.ts': 'its temporary file, and the open files of contents.ts',
  'commands/artifacts/shelf.ts': 'the temporary folder of a pull',
  'commands/completion/script.ts': 'reads .zshrc in the home folder',
  'commands/operation/last-link.ts': 'reports in the state folder',
  'input/file-pieces.ts': 'reads files that are already open',
  'expressions/aside.ts': 'its thread and the WebAssembly of jq, which are files of the package',
  'load.ts': 'runs before everything else',
  'main.ts': 'a temporary folder',
  'mcp/resources.ts': 'the temporary folder of a pull',
  'start.ts': 'stored help pages, before everything else',
  'commands/service/data.ts': 'the temporary folder of an import',
};
