/**
 * The variables of a test that its processes need: programs, the folder of this run, by which they are also
 * found, and the compile cache of Node.
 */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE };
}

/** Flags for a Node that does not live long enough to win back the time that it takes to optimise PostgreSQL. */
export const SHORT_LIVED = ['--liftoff-only'] as const;
