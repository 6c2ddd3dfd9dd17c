#!/usr/bin/env node
// The command line: `npx countersign …`. Does all set-up first, like the npm scripts.
import { runFromShell } from './bootstrap.mjs';

runFromShell('cli', process.argv.slice(2));
