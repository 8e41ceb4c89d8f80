#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const loader = join(__dirname, '../dist/load.cjs');
if (existsSync(loader)) void require(loader).load('start.cjs').start();
else {
  process.stderr.write('error: dtp is not built yet\n  Build it with: npm run build\n');
  process.exitCode = 1;
}
