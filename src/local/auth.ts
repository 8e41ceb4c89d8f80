/** Declares the `dtp auth` commands, which manage the credential of a profile and print the OIDC token of a CI job. */
import type { LocalCommand } from './command.ts';
import { loginFlags, oidcTokenFlags } from './flags.ts';

export const authCommands: readonly LocalCommand[] = [
  {
    words: 'auth login',
    summary: 'Check a credential and store it in a profile',
    effect: 'write',
    sends: true,
    ends: ['cancelled'],
    flags: loginFlags,
    way: { login: true, stores: true },
    examples: [
      {
        says: 'Log in with a credential from a file',
        command: 'dtp auth login --base-url https://api.example.com --with-token < key.txt',
      },
      {
        says: 'Log in with a separate profile',
        command: `dtp auth login --profile staging --base-url https://api.example.com \\
  --scheme api-key --with-token < key.txt`,
      },
    ],
  },
  {
    words: 'auth logout',
    summary: 'Delete the stored credential of a profile',
    effect: 'write',
    way: { collectFaults: true, stores: true },
    names: false,
    examples: [
      { says: 'Delete the credential of the current profile', command: 'dtp auth logout' },
      { says: 'Delete the credential of another profile', command: 'dtp auth logout --profile staging' },
    ],
  },
  {
    words: 'auth status',
    summary: 'Check the credential and show where it comes from',
    effect: 'read',
    watches: true,
    sends: true,
    examples: [
      { says: 'Show the credential in use', command: 'dtp auth status' },
      {
        says: 'Check the credential in a script (exits with 4 if it is not valid)',
        command: "dtp auth status -o json > /dev/null && echo 'logged in'",
      },
    ],
  },
  {
    words: 'auth oidc-token',
    summary: 'Print the OIDC token of the current CI job',
    effect: 'read',
    sends: true,
    flags: oidcTokenFlags,
    notes: ['On GitHub Actions, the job needs permissions: { id-token: write }.'],
    examples: [
      {
        says: 'Link the owner of a repository from GitHub Actions',
        command: `dtp auth oidc-token --audience platform |
  dtp codehost access link --codehost-org acme --codehost-oidc-token -`,
      },
      {
        says: 'Save the token of a GitLab job',
        command: 'dtp auth oidc-token --variable DTP_ID_TOKEN > oidc.jwt',
      },
    ],
  },
];
