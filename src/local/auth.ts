/** `dtp auth login|logout|status|oidc-token`: the credential of a profile. */
import { type LocalCommand, localCommand } from './command.ts';
import { loginFlags, oidcTokenFlags } from './flags.ts';

export const authCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'auth login',
    summary: 'Check a credential and keep it in a profile',
    effect: 'write',
    sends: true,
    ends: ['cancelled'],
    flags: loginFlags,
    way: { login: true },
    examples: [
      {
        says: 'Log in with a credential that is in a file',
        command: 'dtp auth login --base-url https://api.example.com --with-token < key.txt',
      },
      {
        says: 'Into a profile of its own',
        command: `dtp auth login --profile staging --base-url https://api.example.com \\
  --scheme api-key --with-token < key.txt`,
      },
    ],
    run: async () => ({ run: (await import('../commands/auth/auth.ts')).logIn }),
  }),
  localCommand({
    words: 'auth logout',
    summary: 'Forget the credential of a profile',
    effect: 'write',
    way: { mending: true },
    names: false,
    examples: [
      { says: 'Forget the credential of the current profile', command: 'dtp auth logout' },
      { says: 'Of another', command: 'dtp auth logout --profile staging' },
    ],
    run: async () => ({ run: (await import('../commands/auth/auth.ts')).logOut }),
  }),
  localCommand({
    words: 'auth status',
    summary: 'Say which credential is used and whether it is valid: 0 where it is, else 4',
    effect: 'read',
    sends: true,
    examples: [
      { says: 'Say which credential is used', command: 'dtp auth status' },
      {
        says: 'In a script: ends with 4 where it is not valid',
        command: "dtp auth status -o json > /dev/null && echo 'logged in'",
      },
    ],
    run: async () => ({ run: (await import('../commands/auth/auth.ts')).showStatus }),
  }),
  localCommand({
    words: 'auth oidc-token',
    summary: 'Print the OIDC token of the CI job that this runs in',
    effect: 'read',
    sends: true,
    flags: oidcTokenFlags,
    notes: ['GitHub Actions gives a token to a job with permissions: id-token: write.'],
    examples: [
      {
        says: 'Link the owner of a repository, in a job on GitHub Actions',
        command: `dtp auth oidc-token --audience platform |
  dtp codehost access link --codehost-org acme --codehost-oidc-token -`,
      },
      {
        says: 'Save the token of a job on GitLab',
        command: 'dtp auth oidc-token --variable DTP_ID_TOKEN > oidc.jwt',
      },
    ],
    run: async () => ({ run: (await import('../commands/auth/oidc-token.ts')).oidcToken }),
  }),
];
