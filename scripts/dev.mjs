/** Runs the source without a build: `npm run dev -- ws list`. */
import { readFileSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isText } from './bundle/texts.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`error: npm run dev needs Node 22.18 or later, which runs TypeScript; this is ${process.version}
  Or build it: npm run build && node bin/dtp.cjs
`);
  process.exit(3);
}

module.registerHooks({
  load: (url, context, next) =>
    isText(url)
      ? {
          format: 'module',
          source: `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`,
          shortCircuit: true,
        }
      : next(url, context),
});

const { start } = await import('../src/start.ts');
await start();
