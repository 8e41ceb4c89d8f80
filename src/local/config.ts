/** Declares the `dtp config` commands, which show and change profiles and settings. */
import { fileName } from '../settings/folder-file.ts';
import { settingKeys, settingRows } from '../settings/keys.ts';
import type { LocalCommand } from './command.ts';

const keyHelp = `the name of a setting: ${[
  ...settingKeys.filter((key) => settingRows[key].profile),
  'credential_command',
].join(', ')}`;

const folderFileHelp = `a ${fileName} or its folder (default: the one that applies here)`;

export const configCommands: readonly LocalCommand[] = [
  {
    words: 'config list',
    summary: 'List profiles',
    effect: 'read',
    watches: true,
    way: { collectFaults: true },
    examples: [
      { says: 'List profiles', command: 'dtp config list' },
      {
        says: 'Print the name of the current profile',
        command: "dtp config list -r --query '[?current].name'",
      },
    ],
  },
  {
    words: 'config get',
    summary: 'Print a setting of the profile',
    effect: 'read',
    ends: ['not_found'],
    args: [{ name: 'key', required: true, help: keyHelp }],
    way: { collectFaults: true },
    examples: [
      { says: 'Print a setting of the profile', command: 'dtp config get base_url' },
      { says: 'Use another profile', command: 'dtp config get base_url --profile staging' },
    ],
  },
  {
    words: 'config set',
    summary: 'Change a setting of the profile',
    effect: 'write',
    args: [
      { name: 'key', required: true, help: keyHelp },
      { name: 'value', required: true, help: 'new value' },
    ],
    way: { collectFaults: true },
    names: false,
    examples: [
      {
        says: 'Set the default workspace',
        command: 'dtp config set workspace ws_2c81 --profile staging',
      },
      {
        says: 'Get the credential from a vault',
        command: `dtp config set credential_command 'cat ~/.vault/dtp' --profile staging`,
      },
    ],
  },
  {
    words: 'config unset',
    summary: 'Remove a setting from the profile',
    effect: 'write',
    args: [{ name: 'key', required: true, help: keyHelp }],
    way: { collectFaults: true },
    names: false,
    examples: [
      { says: 'Remove a setting', command: 'dtp config unset workspace' },
      { says: 'Use another profile', command: 'dtp config unset workspace --profile staging' },
    ],
  },
  {
    words: 'config path',
    summary: 'Print the path of the configuration file',
    effect: 'read',
    way: { collectFaults: true },
    examples: [
      { says: 'Print the path', command: 'dtp config path' },
      { says: 'Check the permissions of the file', command: 'ls -l "$(dtp config path)"' },
    ],
  },
  {
    words: 'config use',
    summary: 'Switch to another profile',
    effect: 'write',
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { collectFaults: true, readOnly: true, stores: true },
    names: false,
    examples: [
      { says: 'Switch to another profile', command: 'dtp config use staging' },
      { says: 'Switch to the embedded service', command: 'dtp config use local' },
    ],
  },
  {
    words: 'config delete',
    summary: 'Delete a profile and its credential',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { collectFaults: true, readOnly: true, stores: true },
    names: false,
    examples: [
      { says: 'Delete a profile without a prompt', command: 'dtp config delete staging --yes' },
      {
        says: 'Switch to another profile, and delete the old one',
        command: 'dtp config use local && dtp config delete staging --yes',
      },
    ],
  },
  {
    words: 'config trust',
    summary: 'Trust a .dtp.json to choose where requests go',
    effect: 'write',
    ends: ['cancelled'],
    args: [{ name: 'file', help: folderFileHelp }],
    way: { collectFaults: true, readOnly: true },
    names: false,
    examples: [
      {
        says: 'Trust the .dtp.json of the current folder without a prompt',
        command: 'dtp config trust --yes',
      },
      { says: 'Trust the .dtp.json of another folder', command: 'dtp config trust ./petstore --yes' },
    ],
  },
  {
    words: 'config untrust',
    summary: 'Stop trusting a .dtp.json',
    effect: 'write',
    args: [{ name: 'file', help: folderFileHelp }],
    way: { collectFaults: true, readOnly: true },
    names: false,
    examples: [
      { says: 'Stop trusting the .dtp.json of the current folder', command: 'dtp config untrust' },
      { says: 'Stop trusting the .dtp.json of another folder', command: 'dtp config untrust ./petstore' },
    ],
  },
  {
    words: 'config explain',
    summary: 'Show each setting and its source',
    effect: 'read',
    way: { collectFaults: true },
    examples: [
      { says: 'Show each setting and its source', command: 'dtp config explain' },
      {
        says: 'Print the source of the base URL',
        command: `dtp config explain -r --query "[?setting=='base_url'].source"`,
      },
    ],
  },
];
