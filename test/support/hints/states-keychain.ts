/** States of the keychain. */
import { DtpError } from '../../../src/errors.ts';
import { base, type State } from './run.ts';
import { profile, state, stores } from './states-settings.ts';

const inKeychain = { base_url: base, credential_store: 'keychain', credential_origin: base };

export const keychainStates: readonly State[] = [
  state('a keychain that is locked', 'ws list', {
    env: {},
    prepare: stores({ work: inKeychain }),
    world: { keychain: () => Promise.reject(new DtpError('config', 'the keychain cannot be used: it is locked')) },
  }),
  state('a keychain without the credential', 'ws list', {
    env: {},
    prepare: stores({ work: inKeychain }),
    world: { keychain: async () => undefined },
  }),
  state('a move without a place', 'auth move', {
    env: {},
    fill: { '--to': 'keychain' },
    prepare: stores({ work: profile }),
    world: { keychain: async () => undefined },
  }),
  state('a move without a credential', 'auth move --to keychain', {
    env: {},
    prepare: stores({ work: { base_url: base } }),
    world: { keychain: async () => undefined },
  }),
];
