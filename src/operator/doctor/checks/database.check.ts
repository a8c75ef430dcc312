/**
 * Checks whether the database answers, is recent enough, is migrated, and accepts writes from its user, and whether its connection limits
 * and a connection pooler suit the settings. Changes nothing.
 */
import type { ConnectionLimits } from '../../../database/inspection/connection-limits.js';
import type { OpenDatabase } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const OLDEST_MAJOR = 15;

const LIST = new Intl.ListFormat('en');

export const databaseCheck: Check = {
  title: 'Database',
  async run(examination) {
    const { inspection } = await examination.database();
    const { url, dataDir, poolSize } = examination.config.database;
    switch (inspection.state) {
      case 'open':
        return checkDatabase(inspection, { hasServer: url !== undefined, isRunning: await examination.isRunning(), poolSize });
      case 'in-use':
        return [
          (await examination.isRunning())
            ? ok(`The embedded database in ${dataDir} is in use by the running Foyer.`)
            : fault(
                `The embedded database in ${dataDir} is in use by another process, and Foyer does not answer.`,
                'Stop that process, set another DATA_DIR, or set DATABASE_URL: several processes need a PostgreSQL server.',
              ),
        ];
      case 'absent':
        return [
          hint(
            `No database exists in ${dataDir} yet.`,
            'The first start creates it; set DATABASE_URL to use a PostgreSQL server.',
          ),
        ];
      case 'refused':
        return [
          fault(
            'The database server refuses the user, the password or the database in DATABASE_URL.',
            'Set DATABASE_URL to postgres://user:password@host/database; create the user and the database if they are missing.',
          ),
        ];
      case 'not-released':
        return [fault(inspection.reason, 'Set another DATA_DIR, or set DATABASE_URL to an empty database.')];
      case 'silent':
        return [
          fault(
            url === undefined ? inspection.reason : `The database server in DATABASE_URL does not answer. ${inspection.reason}`,
            url === undefined ? 'Check the directory in DATA_DIR.' : 'Start it, or set DATABASE_URL to its address.',
          ),
        ];
    }
  },
};

interface Installation {
  /** Whether the database is a PostgreSQL server, and not the embedded one. */
  hasServer: boolean;
  isRunning: boolean;
  poolSize: number;
}

function checkDatabase(database: OpenDatabase, { hasServer, isRunning, poolSize }: Installation): Finding[] {
  const findings: Finding[] = [];
  if (database.major < OLDEST_MAJOR) {
    findings.push(fault(`PostgreSQL ${database.major} is too old.`, `Use PostgreSQL ${OLDEST_MAJOR} or later.`));
  }
  if (database.isReplica) {
    findings.push(
      fault(
        'The database server is read-only or a replica, so nothing can be written.',
        'Set DATABASE_URL to the primary server.',
      ),
    );
  }
  findings.push(...checkMigrations(database, isRunning));
  if (!database.mayWrite) {
    findings.push(
      fault(
        'The user in DATABASE_URL lacks the permission to write to some tables of Foyer.',
        'Make the user the owner of the tables, or grant all privileges on them.',
      ),
    );
  }
  const hints = checkPooler(database);
  // Behind a pooler, DATABASE_POOL_SIZE counts connections to the pooler instead of the server.
  if (hasServer && database.pooler === null) hints.push(...checkConnections(database.connections, poolSize));
  if (findings.length + hints.length > 0) return [...findings, ...hints];
  return [ok(`${hasServer ? 'PostgreSQL' : 'The embedded PostgreSQL'} ${database.major} answers; its tables are up to date.`)];
}

function checkPooler({ pooler }: OpenDatabase): Finding[] {
  if (pooler === null) return [];
  const findings: Finding[] = [];
  if (!pooler.keepsStatements) findings.push(fault(POOLER_STATEMENTS, POOLER_STATEMENTS_FIX));
  if (!pooler.hasLimits) findings.push(hint(POOLER_UNLIMITED, POOLER_UNLIMITED_FIX));
  return findings;
}

/** During an update, a new gateway starts before the one that it replaces stops, and the doctor needs a connection too. */
export function checkConnections(limits: ConnectionLimits, poolSize: number): Finding[] {
  const gateways = Math.max(1, limits.gateways);
  const required = poolSize * (gateways + 1) + 1;
  const lowLimits = Object.entries({
    'max_connections without reserved connections': limits.server,
    'the connection limit of the user in DATABASE_URL': limits.user,
    'the connection limit of the database': limits.database,
  }).filter(([, limit]) => limit !== null && limit < required);
  if (lowLimits.length === 0) return [];
  const limitList = LIST.format(lowLimits.map(([name, limit]) => `${name} is ${limit}`));
  const largestPool = Math.floor((Math.min(...lowLimits.map(([, limit]) => limit ?? required)) - 1) / (gateways + 1));
  const alternative = largestPool >= MIN_POOL_SIZE ? `, or DATABASE_POOL_SIZE to at most ${largestPool}` : '';
  return [
    hint(
      `${gateways + 1} gateways with DATABASE_POOL_SIZE=${poolSize}, one of them a replacement during an update, and the doctor need ${required} connections, but ${limitList}.`,
      `Set each of these limits to at least ${required}${alternative}; add connections for gateways that are not running now and for other programs.`,
    ),
  ];
}

/** The minimum of DATABASE_POOL_SIZE. */
const MIN_POOL_SIZE = 2;

const POOLER_STATEMENTS =
  'DATABASE_STATEMENTS is set to "named", but the connection pooler in DATABASE_URL does not keep prepared statements.';
const POOLER_STATEMENTS_FIX =
  'Remove DATABASE_STATEMENTS, or set max_prepared_statements in the pooler (PgBouncer 1.21 or later).';
const POOLER_UNLIMITED =
  'DATABASE_URL leads through a connection pooler, and the database user has no statement_timeout: a statement may run or wait forever.';
const POOLER_UNLIMITED_FIX =
  "Run: alter role … set statement_timeout = '5s'; alter role … set lock_timeout = '3s'; then reconnect the pooler.";

function checkMigrations({ missingMigrations, laterMigrations, mayCreate }: OpenDatabase, isRunning: boolean): Finding[] {
  if (missingMigrations.length > 0) return [explainMissingMigrations(missingMigrations, { mayCreate, isRunning })];
  if (laterMigrations === null) return [];
  const { count, newest } = laterMigrations;
  return [
    hint(
      `The database is ${count} migration${count === 1 ? '' : 's'} ahead of this version of Foyer; the newest is ${newest}.`,
      'During an update, this is expected: update Foyer here too. After a return to this version, it is harmless.',
    ),
  ];
}

function explainMissingMigrations(
  names: readonly string[],
  { mayCreate, isRunning }: { mayCreate: boolean; isRunning: boolean },
): Finding {
  const what = `The database lacks ${names.length === 1 ? 'a migration' : `${names.length} migrations`}: ${names.join(', ')}.`;
  if (!mayCreate)
    return fault(
      `${what} The user in DATABASE_URL has no permission to create tables.`,
      'Run in the database: grant create, usage on schema public to this user.',
    );
  if (!isRunning) return hint(what, 'The next start migrates the database.');
  return fault(
    `${what} Foyer is running, so it uses another database or an older version.`,
    'Run the doctor with the environment of the running Foyer, or restart Foyer.',
  );
}
