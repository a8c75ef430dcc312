/**
 * `npm run test:repeat -- [--runs=20] [--busy=2] [parts]`: runs the tests repeatedly, every second time while other processes are busy,
 * to find tests that fail by chance. Failed tests are printed after their run, in which they are not retried. The exit code is 1 if a run
 * failed.
 */
import { spawn } from 'node:child_process';
import { say } from './lib/progress.mjs';
import { findFailureList } from './lib/reports.mjs';
import { ROOT, run } from './lib/run.mjs';
import { findNode } from './lib/setup.mjs';

const { runs, busy, parts } = readArguments(process.argv.slice(2));
const busyProcesses = [];
process.once('exit', stopBusyProcesses);
let failedRuns = 0;

for (let number = 1; number <= runs; number++) {
  const isBusy = busy > 0 && number % 2 === 0;
  if (isBusy) for (let count = 0; count < busy; count++) busyProcesses.push(startBusyProcess());
  const startedAt = performance.now();
  const { code, output } = await run(process.execPath, ['scripts/test.mjs', ...parts]);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  stopBusyProcesses();
  const total = output.trimEnd().split('\n').at(-1);
  say(`run ${number} of ${runs}${isBusy ? `, ${busy} busy processes` : ''}: ${seconds} s, ${total}`);
  if (code === 0) continue;
  failedRuns += 1;
  say(findFailureList(output));
}
say(`${runs - failedRuns} of ${runs} runs passed`);
process.exitCode = Number(failedRuns > 0);

function readArguments(args) {
  const options = { runs: 20, busy: 2, parts: [] };
  for (const argument of args) {
    const [, name, value] = /^--(runs|busy)=(\d{1,3})$/.exec(argument) ?? [];
    if (name) options[name] = Number(value);
    else if (argument.startsWith('-')) throw new Error(`Unknown option: ${argument}. The options are --runs=N and --busy=N.`);
    else options.parts.push(argument);
  }
  return options;
}

/** Starts a process that keeps one core busy. */
function startBusyProcess() {
  return spawn(findNode(), ['-e', 'for (;;);'], { cwd: ROOT, stdio: 'ignore' });
}

function stopBusyProcesses() {
  for (const child of busyProcesses.splice(0)) child.kill('SIGKILL');
}
