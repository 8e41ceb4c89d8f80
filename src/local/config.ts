/** `dtp config …`: the profiles, and where each setting comes from. */
import { fileName } from '../settings/folder-file.ts';
import { settingKeys, settingRows } from '../settings/keys.ts';
import { type LocalCommand, localCommand } from './command.ts';

const keyHelp = `the name of a setting: ${[
  ...settingKeys.filter((key) => settingRows[key].profile),
  'credential_command',
].join(', ')}`;

const folderFileHelp = `a ${fileName} or its folder; else the one that applies here`;

export const configCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'config list',
    summary: 'List the profiles',
    effect: 'read',
    way: { mending: true },
    examples: [
      { says: 'List the profiles', command: 'dtp config list' },
      { says: 'The current one', command: "dtp config list -r --query '[?current].name'" },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).listProfiles }),
  }),
  localCommand({
    words: 'config get',
    summary: 'Show a setting of the profile',
    effect: 'read',
    ends: ['not_found'],
    args: [{ name: '<key>', help: keyHelp }],
    way: { mending: true },
    examples: [
      { says: 'Show a setting of the profile', command: 'dtp config get base_url' },
      { says: 'Of another profile', command: 'dtp config get base_url --profile staging' },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).showSetting }),
  }),
  localCommand({
    words: 'config set',
    summary: 'Change a setting of the profile',
    effect: 'write',
    args: [
      { name: '<key>', help: keyHelp },
      { name: '<value>', help: 'its value' },
    ],
    way: { mending: true },
    names: false,
    examples: [
      {
        says: 'Make a workspace the usual one',
        command: 'dtp config set workspace ws_2c81 --profile staging',
      },
      {
        says: 'Let a vault give the credential',
        command: `dtp config set credential_command 'cat ~/.vault/dtp' --profile staging`,
      },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).changeSetting }),
  }),
  localCommand({
    words: 'config unset',
    summary: 'Forget a setting of the profile',
    effect: 'write',
    args: [{ name: '<key>', help: keyHelp }],
    way: { mending: true },
    names: false,
    examples: [
      { says: 'Forget a setting', command: 'dtp config unset workspace' },
      { says: 'Of another profile', command: 'dtp config unset workspace --profile staging' },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).forgetSetting }),
  }),
  localCommand({
    words: 'config path',
    summary: 'Show where the profiles are kept',
    effect: 'read',
    way: { mending: true },
    examples: [
      { says: 'Where the profiles are kept', command: 'dtp config path' },
      { says: 'Look at its mode', command: 'ls -l "$(dtp config path)"' },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).showPath }),
  }),
  localCommand({
    words: 'config use',
    summary: 'Make a profile the current one',
    effect: 'write',
    args: [{ name: '<profile>', help: 'its name, as the list shows it' }],
    way: { mending: true, looking: true },
    names: false,
    examples: [
      { says: 'Make a profile the current one', command: 'dtp config use staging' },
      { says: 'Work with the embedded service', command: 'dtp config use local' },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).useProfile }),
  }),
  localCommand({
    words: 'config delete',
    summary: 'Delete a profile and its credential',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: '<profile>', help: 'its name, as the list shows it' }],
    way: { mending: true, looking: true },
    names: false,
    examples: [
      { says: 'Delete a profile; on a terminal it asks first', command: 'dtp config delete staging --yes' },
      {
        says: 'Of the current one: use another from now on',
        command: 'dtp config use local && dtp config delete staging --yes',
      },
    ],
    run: async () => ({ run: (await import('../commands/config/profile.ts')).deleteProfile }),
  }),
  localCommand({
    words: 'config trust',
    summary: 'Let a folder file decide where requests go',
    effect: 'write',
    ends: ['cancelled'],
    args: [{ name: '[file]', help: folderFileHelp }],
    way: { mending: true, looking: true },
    names: false,
    examples: [
      {
        says: 'Trust the .dtp.json that applies here; on a terminal it asks first',
        command: 'dtp config trust --yes',
      },
      { says: 'That of another folder', command: 'dtp config trust ./petstore --yes' },
    ],
    run: async () => ({ run: (await import('../commands/config/trust.ts')).trustFile }),
  }),
  localCommand({
    words: 'config untrust',
    summary: 'Stop trusting a folder file',
    effect: 'write',
    args: [{ name: '[file]', help: folderFileHelp }],
    way: { mending: true, looking: true },
    names: false,
    examples: [
      { says: 'Stop trusting the .dtp.json that applies here', command: 'dtp config untrust' },
      { says: 'That of another folder', command: 'dtp config untrust ./petstore' },
    ],
    run: async () => ({ run: (await import('../commands/config/trust.ts')).distrustFile }),
  }),
  localCommand({
    words: 'config explain',
    summary: 'Show each setting and where it comes from',
    effect: 'read',
    way: { mending: true },
    examples: [
      { says: 'Each setting, and where it comes from', command: 'dtp config explain' },
      {
        says: 'Where the base address comes from',
        command: `dtp config explain -r --query "[?setting=='base_url'].source"`,
      },
    ],
    run: async () => ({ run: (await import('../commands/config/config.ts')).explainSettings }),
  }),
];
