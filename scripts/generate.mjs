/** Writes what is made from the command tree and kept beside it: `completions/`, and the names of the pages of the manual. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const files = { bash: 'dtp.bash', zsh: '_dtp', fish: 'dtp.fish', powershell: 'dtp.ps1' };

mkdirSync('completions', { recursive: true });
for (const [shell, name] of Object.entries(files))
  writeFileSync(`completions/${name}`, execFileSync(process.execPath, ['bin/dtp.cjs', 'completion', shell]));

// npm links only what is named.
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const man = readdirSync('man')
  .sort()
  .map((file) => `man/${file}`);
writeFileSync('package.json', `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`);
