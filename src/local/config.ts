/** Declares the `dtp config` commands, which show and change profiles and settings. */
import { fileName } from '../settings/folder-file.ts';
import { settingKeys, settingRows } from '../settings/keys.ts';
import type { LocalCommands } from './command.ts';

const keyHelp = `the name of a setting: ${[
  ...settingKeys.filter((key) => settingRows[key].profile),
  'credential_command',
].join(', ')}`;

const folderFileHelp = `a ${fileName} or its folder (default: the one that applies here)`;

export const configCommands = {
  'config list': {
    summary: 'List profiles',
    effect: 'read',
    watches: true,
    way: { collectFaults: true },
    examples: {
      'List profiles': 'dtp config list',
      'Print the name of the current profile': "dtp config list -r --query '[?current].name'",
    },
  },
  'config get': {
    summary: 'Print a setting of the profile',
    effect: 'read',
    ends: ['not_found'],
    args: [{ name: 'key', required: true, help: keyHelp }],
    way: { collectFaults: true },
    examples: {
      'Print a setting of the profile': 'dtp config get base_url',
      'Use another profile': 'dtp config get base_url --profile staging',
    },
  },
  'config set': {
    summary: 'Change a setting of the profile',
    effect: 'write',
    args: [
      { name: 'key', required: true, help: keyHelp },
      { name: 'value', required: true, help: 'new value' },
    ],
    way: { collectFaults: true },
    names: false,
    examples: {
      'Set the default workspace': 'dtp config set workspace ws_2c81 --profile staging',
      'Get the credential from a vault': `dtp config set credential_command 'cat ~/.vault/dtp' --profile staging`,
    },
  },
  'config unset': {
    summary: 'Remove a setting from the profile',
    effect: 'write',
    args: [{ name: 'key', required: true, help: keyHelp }],
    way: { collectFaults: true },
    names: false,
    examples: {
      'Remove a setting': 'dtp config unset workspace',
      'Use another profile': 'dtp config unset workspace --profile staging',
    },
  },
  'config path': {
    summary: 'Print the path of the configuration file',
    effect: 'read',
    way: { collectFaults: true },
    examples: {
      'Print the path': 'dtp config path',
      'Check the permissions of the file': 'ls -l "$(dtp config path)"',
    },
  },
  'config use': {
    summary: 'Switch to another profile',
    effect: 'write',
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { collectFaults: true, readOnly: true, stores: true },
    names: false,
    examples: {
      'Switch to another profile': 'dtp config use staging',
      'Switch to the embedded service': 'dtp config use local',
    },
  },
  'config delete': {
    summary: 'Delete a profile and its credential',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { collectFaults: true, readOnly: true, stores: true },
    names: false,
    examples: {
      'Delete a profile without a prompt': 'dtp config delete staging --yes',
      'Switch to another profile, and delete the old one': 'dtp config use local && dtp config delete staging --yes',
    },
  },
  'config trust': {
    summary: 'Trust a .dtp.json to choose where requests go',
    effect: 'write',
    ends: ['cancelled'],
    args: [{ name: 'file', help: folderFileHelp }],
    way: { collectFaults: true, readOnly: true },
    names: false,
    examples: {
      'Trust the .dtp.json of the current folder without a prompt': 'dtp config trust --yes',
      'Trust the .dtp.json of another folder': 'dtp config trust ./petstore --yes',
    },
  },
  'config untrust': {
    summary: 'Stop trusting a .dtp.json',
    effect: 'write',
    args: [{ name: 'file', help: folderFileHelp }],
    way: { collectFaults: true, readOnly: true },
    names: false,
    examples: {
      'Stop trusting the .dtp.json of the current folder': 'dtp config untrust',
      'Stop trusting the .dtp.json of another folder': 'dtp config untrust ./petstore',
    },
  },
  'config explain': {
    summary: 'Show each setting and its source',
    effect: 'read',
    way: { collectFaults: true },
    examples: {
      'Show each setting and its source': 'dtp config explain',
      'Print the source of the base URL': `dtp config explain -r --query "[?setting=='base_url'].source"`,
    },
  },
} as const satisfies LocalCommands;
