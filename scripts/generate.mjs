/** Writes the files in git that are generated: `completions/` and `llms.txt` from the command tree, `docs/pictures/`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { picture, pictures } from './pictures.mjs';

const files = { bash: 'dtp.bash', zsh: '_dtp', fish: 'dtp.fish', powershell: 'dtp.ps1' };

mkdirSync('completions', { recursive: true });
for (const [shell, name] of Object.entries(files))
  writeFileSync(`completions/${name}`, execFileSync(process.execPath, ['bin/dtp.cjs', 'completion', shell]));

writeFileSync('llms.txt', execFileSync(process.execPath, ['bin/dtp.cjs', 'help', '--agent']));

mkdirSync('docs/pictures', { recursive: true });
for (const name of Object.keys(pictures)) writeFileSync(`docs/pictures/${name}`, picture(name));
