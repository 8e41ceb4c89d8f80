/** Declares `dtp artifacts pull` and `push`, which transfer revisions of API documents to and from a folder. */
import type { LocalCommand } from './command.ts';
import { pushFlags } from './flags.ts';

export const artifactsCommands: readonly LocalCommand[] = [
  {
    words: 'artifacts pull',
    summary: 'Pull a revision into a folder and verify its digests',
    effect: 'read',
    sends: true,
    asks: true,
    args: [
      // The argument is optional for commander, because dtp prompts for it on a terminal.
      { name: 'ref', help: 'NAMESPACE[:TAG], ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST' },
    ],
    notes: [
      'In NAMESPACE@DIGEST, 4 characters of the digest are enough, if they are unique. A revision of another workspace needs the full digest.',
      '-O DIR sets the folder (default: ./NAMESPACE). --force replaces the contents of an existing folder.',
    ],
    shows: ['dry-run'],
    ownsFile: true,
    examples: [
      { says: 'Pull a tag into the folder pets', command: 'dtp artifacts pull pets:v1' },
      {
        says: 'Pull the latest revision and replace the contents of a folder',
        command: 'dtp artifacts pull pets -O spec --force',
      },
    ],
  },
  {
    words: 'artifacts push',
    summary: 'Push an API document or a folder as a revision',
    effect: 'write',
    sends: true,
    asks: true,
    args: [
      {
        name: 'file',
        help: 'OpenAPI document, or a folder that contains openapi.yaml, .yml or .json',
      },
      { name: 'revision', optional: true, help: 'NAMESPACE[:TAG]; the namespace is created if it does not exist' },
    ],
    flags: pushFlags,
    shows: ['dry-run'],
    examples: [
      {
        says: 'Push a document and the files it refers to',
        command: 'dtp artifacts push openapi.yaml pets:v2 --tag latest',
      },
      {
        says: 'Push a folder and print the digest',
        command: 'dtp artifacts push spec pets -r --query digest',
      },
    ],
  },
];
