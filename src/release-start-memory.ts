/** Releases memory that only the start needed (about 10 MB). This pauses the process, so it runs before the first request. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

export function releaseStartMemory(): void {
  // V8 offers `gc` only to contexts that are created while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  // Only a collection of the flavor `last-resort` also shrinks the heap.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
