#!/usr/bin/env node
void require('../dist/main.cjs').main();
