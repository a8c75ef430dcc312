/**
 * What a process that a test starts needs of the test's own environment: programs, the folder of this run, by which it is also
 * found, and what Node has compiled already.
 */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE };
}
