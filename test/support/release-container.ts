/** The image of a release: built from its Dockerfile, it runs without root and on a read-only file system. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, version } from './release.ts';

export function testContainer(out: string, folder: string): void {
  const store = ['--root', join(folder, 'images/root'), '--runroot', join(folder, 'images/run')];
  const policy = join(folder, 'policy.json');
  const buildah = (command: string, ...args: readonly string[]) =>
    execFileSync('buildah', [...store, '--storage-driver', 'vfs', command, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();

  describe('the image', () => {
    test('it contains only dtp and its libraries, and leads through tasks of the README', async ({ skip }) => {
      const base = join(folder, 'root');
      if (spawnSync('buildah', ['--version']).error) skip('buildah is not installed');
      if (!existsSync(join(base, 'usr/bin'))) skip('there is no new system to build from');
      writeFileSync(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
      const started = buildah('from', 'scratch');
      execFileSync('tar', ['--one-file-system', '-cf', join(folder, 'base.tar'), '-C', base, '.']);
      buildah('add', '--quiet', started, join(folder, 'base.tar'), '/');
      buildah('commit', '--quiet', '--signature-policy', policy, started, 'localhost/base');

      const context = join(folder, 'context');
      mkdirSync(context);
      for (const name of readdirSync(out).filter((one) => /^(Dockerfile|SHA256SUMS)$|linux.*\.gz$/.test(one)))
        copyFileSync(join(out, name), join(context, name));
      const own = ['--isolation', 'chroot', '--signature-policy', policy, '--build-arg', 'BASE=localhost/base'];
      buildah('bud', ...own, '--tag', 'dtp', context);
      const container = buildah('from', '--signature-policy', policy, 'localhost/dtp');
      const image = buildah('mount', container);
      const files = readdirSync(image, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const others = files.map(({ name }) => name).filter((name) => !/\.so\.\d+$/.test(name));
      expect(others).toEqual(['dtp']);

      const { config } = JSON.parse(buildah('inspect', container)).OCIv1;
      expect(config).toMatchObject({ User: '65534:65534', WorkingDir: '/work', Entrypoint: ['/usr/bin/dtp'] });
      // Container runtimes add these folders.
      for (const name of ['proc', 'dev']) mkdirSync(join(image, name));
      const volume = join(folder, 'volume');
      for (const name of ['tmp', 'home/dtp', 'work']) {
        mkdirSync(join(volume, name), { recursive: true });
        chmodSync(join(volume, name), 0o777);
      }
      const [uid, gid] = config.User.split(':');
      const script = `
        set -e
        mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"
        mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
        for name in tmp home/dtp work; do mount --bind '${volume}'/$name "$0/$name"; done
        exec unshare --root="$0" --wd="$1" --setuid=${uid} --setgid=${gid} "$@"`;
      const dtp = (place: string, ...args: readonly string[]) => {
        const started = script.replace('"$1"', `'${place}'`);
        return run(['unshare', '--mount', 'sh', '-c', started, image, ...config.Entrypoint, ...args], {
          env: { ...Object.fromEntries(config.Env.map((one: string) => one.split('='))), PATH: process.env.PATH },
        });
      };
      const work = '/work';
      expect(await dtp(work, '--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
      expect(await dtp(work, 'init', '--sample')).toMatchObject({ code: 0 });
      const inside = `${work}/petstore`;
      const posted = await dtp(inside, 'events', 'post', '--body', '@events.ndjson', '--profile', 'local');
      expect([posted.code, JSON.parse(posted.stdout).delivered]).toEqual([0, 3]);
      const pushed = await dtp(inside, 'artifacts', 'push', 'openapi.yaml', 'petstore:v1', '--profile', 'local');
      expect(pushed).toMatchObject({ code: 0 });
      const outside = await dtp('/', 'events', 'search', '--profile', 'local', '-O', '/out.json');
      expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('cannot write /out.json')]);
    });
  });
}
