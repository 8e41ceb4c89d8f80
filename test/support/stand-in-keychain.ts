/** A copy of the built tool, with a fake library for the keychain of the operating system. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** In place of the library: a file with the entries. KEYCHAIN_FAULT names what fails, such as `hang get`. */
const standIn = `
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { KEYCHAIN_FAULT: fault = '', KEYCHAIN_FILE: file } = process.env;
const read = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
const work = async (task, change) => {
  if (fault === 'hang ' + task) {
    writeFileSync(file + '.pid', String(process.pid));
    await new Promise(() => setInterval(() => undefined, 60_000));
  }
  if (fault === 'spoil' && task === 'set') writeFileSync(process.env.DTP_CONFIG_DIR + '/config.json', 'x');
  if (fault === 'crash ' + task) process.kill(process.pid, 'SIGKILL');
  if (fault === 'fail ' + task) throw new Error('it is locked\\nSecond line');
  const entries = read();
  const value = change(entries);
  writeFileSync(file, JSON.stringify(entries));
  return value;
};
exports.AsyncEntry = class {
  constructor(service, account, { linux }) {
    this.name = [service, account, linux.store].join(' ');
  }
  getPassword() {
    return work('get', (entries) => entries[this.name] ?? null);
  }
  setPassword(secret) {
    return work('set', (entries) => void (entries[this.name] = fault === 'lossy' && entries[this.name] !== 'half' ? 'half' : secret));
  }
  deletePassword() {
    return work('delete', (entries) => delete entries[this.name]);
  }
};
`;

/** Copies the built tool to a folder, without optional dependencies. */
export function copyTool(folder: string): void {
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
}

/** Adds the library to a copy of the tool. The file with the entries is KEYCHAIN_FILE. */
export function addKeychain(folder: string): void {
  const library = join(folder, 'node_modules/@napi-rs/keyring');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, 'index.js'), standIn);
}
