/** `dtp artifacts pull` and `push`: revisions of API documents into and out of a folder. */
import { type LocalCommand, localCommand } from './command.ts';
import { pushFlags } from './flags.ts';

export const artifactsCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'artifacts pull',
    summary: 'Pull a revision into a folder, each part compared with its digest',
    effect: 'read',
    sends: true,
    asks: true,
    args: [
      // Not required by commander: on a terminal it is asked for.
      { name: '[ref]', help: 'NAMESPACE[:TAG], ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST' },
    ],
    notes: [
      '-O DIR names the folder (default: the namespace, in the working folder); --force replaces all of one.',
    ],
    shows: ['dry-run'],
    ownsFile: true,
    examples: [
      { says: 'A revision by its tag, into the folder pets', command: 'dtp artifacts pull pets:v1' },
      {
        says: 'The latest one, in the place of what a folder holds',
        command: 'dtp artifacts pull pets -O spec --force',
      },
    ],
    run: async () => ({ run: (await import('../commands/artifacts/pull.ts')).pullRevision }),
  }),
  localCommand({
    words: 'artifacts push',
    summary: 'Push a document with the files that it refers to, or a folder, as a revision',
    effect: 'write',
    sends: true,
    args: [
      { name: '<path>', help: 'an OpenAPI document, or a folder with openapi.yaml, .yml or .json in it' },
    ],
    flags: pushFlags,
    shows: ['dry-run'],
    examples: [
      {
        says: 'Push a document with the files that it refers to',
        command: 'dtp artifacts push openapi.yaml --namespace pets --tag v2 --tag latest',
      },
      {
        says: 'Push a folder, and keep the digest',
        command: `dtp artifacts push spec --namespace pets -r --query digest`,
      },
    ],
    run: async () => ({ run: (await import('../commands/artifacts/push.ts')).pushRevision }),
  }),
];
