#!/usr/bin/env node
/** Entry point of the operator's command line. */
import { run } from './run.js';
import { buildProcessTerminal } from './terminal.js';

process.exitCode = await run(process.argv.slice(2), buildProcessTerminal());
