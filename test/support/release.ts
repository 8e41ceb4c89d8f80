/** A copy of the checkout as a repository of its source, from which a release is made or npm installs. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './package.ts';

/** Makes a bare repository in `folder` whose only commit is the checkout as it is now. Returns its path. */
export function makeRepository(folder: string): string {
  const repository = join(folder, 'dtp.git');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['--git-dir', repository, '--work-tree', root, '-c', 'core.bare=false', ...args], {
      cwd: root,
      env: {
        ...process.env,
        ...{ GIT_AUTHOR_NAME: 'dtp', GIT_AUTHOR_EMAIL: 'dtp@example.com', GIT_CONFIG_GLOBAL: '/dev/null' },
        ...{ GIT_COMMITTER_NAME: 'dtp', GIT_COMMITTER_EMAIL: 'dtp@example.com', GIT_CONFIG_NOSYSTEM: '1' },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The source of a release');
  return repository;
}
