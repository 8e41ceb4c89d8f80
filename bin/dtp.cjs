#!/usr/bin/env node
void require('../dist/start.cjs').start();
