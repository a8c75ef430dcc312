/**
 * Tells whether `node_modules` matches the lock file: npm writes a list there at the end of an install. Packages for
 * other platforms may be missing; nothing else may differ.
 */
export function isInstalled(lock, installed) {
  if (!lock?.packages || !installed?.packages) return false;
  const wanted = Object.entries(lock.packages).filter(([path]) => path !== '');
  const there = installed.packages;
  return (
    wanted.every(([path, entry]) =>
      there[path] ? sameEntry(entry, there[path]) : Boolean(entry.optional ?? entry.devOptional),
    ) && Object.keys(there).every((path) => lock.packages[path])
  );
}

function sameEntry(wanted, there) {
  return wanted.version === there.version && wanted.integrity === there.integrity;
}
