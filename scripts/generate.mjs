/** Writes the files in git that are generated from the command tree: `completions/`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const files = { bash: 'dtp.bash', zsh: '_dtp', fish: 'dtp.fish', powershell: 'dtp.ps1' };

mkdirSync('completions', { recursive: true });
for (const [shell, name] of Object.entries(files))
  writeFileSync(`completions/${name}`, execFileSync(process.execPath, ['bin/dtp.cjs', 'completion', shell]));
