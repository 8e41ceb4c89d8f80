/** Declares the `dtp auth` commands, which manage the credential of a profile and print the OIDC token of a CI job. */
import type { LocalCommands } from './command.ts';
import { loginFlags, oidcTokenFlags } from './flags.ts';

export const authCommands = {
  'auth login': {
    summary: 'Check a credential and store it in a profile',
    effect: 'write',
    sends: true,
    ends: ['cancelled'],
    flags: loginFlags,
    way: { login: true, stores: true },
    examples: {
      'Log in with a credential from a file':
        'dtp auth login --base-url https://api.example.com --with-token < key.txt',
      'Log in with a separate profile': `dtp auth login --profile staging --base-url https://api.example.com \\
  --scheme api-key --with-token < key.txt`,
    },
  },
  'auth logout': {
    summary: 'Delete the stored credential of a profile',
    effect: 'write',
    way: { collectFaults: true, stores: true },
    names: false,
    examples: {
      'Delete the credential of the current profile': 'dtp auth logout',
      'Delete the credential of another profile': 'dtp auth logout --profile staging',
    },
  },
  'auth status': {
    summary: 'Check the credential and show where it comes from',
    effect: 'read',
    watches: true,
    sends: true,
    examples: {
      'Show the credential in use': 'dtp auth status',
      'Check the credential in a script (exits with 4 if it is not valid)':
        "dtp auth status -o json > /dev/null && echo 'logged in'",
    },
  },
  'auth oidc-token': {
    summary: 'Print the OIDC token of the current CI job',
    effect: 'read',
    sends: true,
    flags: oidcTokenFlags,
    notes: ['On GitHub Actions, the job needs permissions: { id-token: write }.'],
    examples: {
      'Link the owner of a repository from GitHub Actions': `dtp auth oidc-token --audience platform |
  dtp codehost access link --codehost-org acme --codehost-oidc-token -`,
      'Save the token of a GitLab job': 'dtp auth oidc-token --variable DTP_ID_TOKEN > oidc.jwt',
    },
  },
} as const satisfies LocalCommands;
