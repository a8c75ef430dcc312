/** What a process that a test starts needs of the test's own environment: programs, and what Node has compiled already. */
export function processEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}
