/**
 * Before the tests: creates a folder for everything temporary, unless `npm test` has created one. After the last test, prints what
 * remains, which makes Jest fail.
 */
import { beginRun, exitOnSignals, isInRun } from '../../scripts/lib/run-folder.mjs';

let isBegun = false;

export default function setUpRun() {
  // Jest calls this once for each kind of project.
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
