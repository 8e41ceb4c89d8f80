#!/usr/bin/env node
void require('../dist/load.cjs').load('start.cjs').start();
