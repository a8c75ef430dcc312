/**
 * Before the tests: a folder for everything temporary, unless `npm test` has made one. After the last one, what is left of the
 * tests is printed and makes jest fail.
 */
import { beginRun, exitOnSignals, isInRun } from '../../scripts/lib/run-folder.mjs';

let isBegun = false;

export default function setUpRun() {
  // Each kind of project names it.
  if (isBegun) return;
  isBegun = true;
  exitOnSignals(() => globalThis.foyerPostgres?.stop());
  if (isInRun()) return;
  const end = beginRun();
  globalThis.foyerRun = { end };
  process.prependOnceListener('exit', (code) => {
    const left = code > 128 ? [] : end();
    if (left.length === 0) return;
    process.stderr.write(`Left by these tests:\n${left.join('\n')}\n`);
    process.exitCode = 1;
  });
}
