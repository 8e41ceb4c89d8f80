/** Opens a URL in the user's browser. */
import { spawn } from 'node:child_process';
import { DtpError } from '../errors.ts';
import { helperFolder } from './platform.ts';
import { startFault } from './start-fault.ts';

/**
 * The programs that open a URL, by platform. They run without a shell, because a shell would interpret some characters
 * of the URL. So `start` cannot be used on Windows, because it only exists in the shell.
 */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a URL with `browser`, the value of $BROWSER: a program, its arguments, and `%s` in place of the URL. Without
 * it, uses the program of the platform. Throws `config` if the program cannot be started or fails.
 */
export function openBrowser(url: string, browser = ''): Promise<void> {
  // Several programs may be listed. The first one is used.
  const [words = ''] = process.platform === 'win32' ? [browser] : browser.split(':');
  const chosen = words.split(/\s+/).filter((word) => word !== '');
  const [program = '', ...args] = chosen.length > 0 ? chosen : (openers[process.platform] ?? ['xdg-open']);
  const all = args.includes('%s') ? args.map((arg) => (arg === '%s' ? url : arg)) : [...args, url];
  return new Promise((done, failed) => {
    // A program that the user chose may be relative to the current folder.
    const cwd = chosen.length === 0 ? helperFolder : undefined;
    const child = spawn(program, all, { stdio: 'ignore', detached: true, windowsHide: true, cwd });
    // Some of these programs run until the browser is closed, so wait at most two seconds. The timer keeps this process
    // alive to see a failure.
    const timer = setTimeout(done, 2000);
    child.unref();
    const end = (fault: string | undefined) => {
      clearTimeout(timer);
      if (fault === undefined) done();
      else failed(new DtpError('config', `${fault}. Set BROWSER to a program that opens URLs`));
    };
    child.on('error', (error) => end(startFault(program, error)));
    child.on('close', (code) => end(code === 0 ? undefined : `${program} exited with ${code}`));
  });
}
