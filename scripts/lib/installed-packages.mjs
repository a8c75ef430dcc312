/**
 * Whether `node_modules` holds what the lock says: npm leaves a list there at the very end of an install.
 * A package for another platform may be absent; nothing else may differ.
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
