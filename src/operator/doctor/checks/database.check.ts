/** The database: there, new enough, migrated, and open to this user. It is looked at and left as it is. */
import type { OpenDatabase } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

const OLDEST_MAJOR = 15;

export const databaseCheck: Check = {
  title: 'Database',
  async run(examined) {
    const { seen } = await examined.database();
    const { url, dataDir } = examined.config.database;
    switch (seen.state) {
      case 'open':
        return openFindings(seen, { isServer: url !== undefined, isRunning: await examined.isRunning() });
      case 'in-use':
        return [
          (await examined.isRunning())
            ? ok(`The embedded database in ${dataDir} is in use by Foyer, which answers for it.`)
            : fault(
                `The embedded database in ${dataDir} is in use by another process, and Foyer does not answer.`,
                'End that process, name another DATA_DIR, or set DATABASE_URL: several processes need a PostgreSQL server.',
              ),
        ];
      case 'absent':
        return [hint(`There is no database in ${dataDir} yet.`, 'The first start makes it; set DATABASE_URL for PostgreSQL.')];
      case 'refused':
        return [
          fault(
            'The database server refuses the user, the password or the database in DATABASE_URL.',
            'Set DATABASE_URL to postgres://user:password@host/database; create the user and the database if they are missing.',
          ),
        ];
      case 'not-released':
        return [fault(seen.reason, 'Name another DATA_DIR, or an empty database in DATABASE_URL.')];
      case 'silent':
        return [
          fault(
            url === undefined ? seen.reason : `The database server in DATABASE_URL does not answer. ${seen.reason}`,
            url === undefined ? 'DATA_DIR names where it lies.' : 'Start it, or set DATABASE_URL to where it is.',
          ),
        ];
    }
  },
};

function openFindings(seen: OpenDatabase, { isServer, isRunning }: { isServer: boolean; isRunning: boolean }): Finding[] {
  const findings: Finding[] = [];
  if (seen.major < OLDEST_MAJOR) {
    findings.push(fault(`PostgreSQL ${seen.major} is too old.`, `Use PostgreSQL ${OLDEST_MAJOR} or later.`));
  }
  if (seen.isReplica) {
    findings.push(
      fault('The database server takes no changes: it is a replica, or read-only.', 'Name the primary in DATABASE_URL.'),
    );
  }
  findings.push(...migrationFindings(seen, isRunning));
  if (!seen.mayWrite) {
    findings.push(
      fault(
        'The user in DATABASE_URL may not write to all of its tables.',
        'Make it the owner of the tables, or grant it all on them.',
      ),
    );
  }
  if (findings.length > 0) return findings;
  return [ok(`${isServer ? 'PostgreSQL' : 'The embedded PostgreSQL'} ${seen.major} answers; its tables are up to date.`)];
}

function migrationFindings({ missing, later, mayCreate }: OpenDatabase, isRunning: boolean): Finding[] {
  if (missing.length > 0) return [missingFinding(missing, { mayCreate, isRunning })];
  if (later === 0) return [];
  return [
    hint(
      `The tables are ${later} migration${later === 1 ? '' : 's'} ahead of this version.`,
      'That is well during an update; afterwards update Foyer here too.',
    ),
  ];
}

function missingFinding(
  missing: readonly string[],
  { mayCreate, isRunning }: { mayCreate: boolean; isRunning: boolean },
): Finding {
  const what = `The tables lack ${missing.length === 1 ? 'a migration' : `${missing.length} migrations`}: ${missing.join(', ')}.`;
  if (!mayCreate)
    return fault(`${what} The user may not create tables.`, 'Run: grant create, usage on schema public to its user.');
  if (!isRunning) return hint(what, 'The next start migrates the database.');
  return fault(
    `${what} Foyer runs all the same, so it runs on another database or in an older version.`,
    'Run the doctor with the environment of the Foyer that runs, or restart that one.',
  );
}
