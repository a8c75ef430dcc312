/**
 * Determines whether `node_modules` matches the lock file, from the list that npm writes there at the end of an install.
 * Packages for other platforms may be missing; nothing else may differ.
 */
export function isInstalled(lock, installed) {
  if (!lock?.packages || !installed?.packages) return false;
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const present = installed.packages;
  return (
    entries.every(([path, entry]) =>
      present[path] ? sameEntry(entry, present[path]) : Boolean(entry.optional ?? entry.devOptional),
    ) && Object.keys(present).every((path) => lock.packages[path])
  );
}

function sameEntry(locked, present) {
  return locked.version === present.version && locked.integrity === present.integrity;
}
