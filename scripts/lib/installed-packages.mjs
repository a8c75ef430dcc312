/**
 * Determines whether `node_modules` matches the lock file, from the list that npm writes there at the end of an install.
 * Optional packages may be missing, such as those for other platforms; nothing else may differ.
 */
export function isInstalled(lock, installed) {
  if (!lock?.packages || !installed?.packages) return false;
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const installedEntries = installed.packages;
  return (
    entries.every(([path, entry]) =>
      installedEntries[path] ? isSameEntry(entry, installedEntries[path]) : Boolean(entry.optional ?? entry.devOptional),
    ) && Object.keys(installedEntries).every((path) => lock.packages[path])
  );
}

function isSameEntry(lockedEntry, installedEntry) {
  return lockedEntry.version === installedEntry.version && lockedEntry.integrity === installedEntry.integrity;
}
