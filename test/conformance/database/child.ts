/**
 * A process that has the embedded database open, for tests that kill it. It writes to its output `open`, then with the
 * argument `write` the rows that it finds and the number of each row that it commits, or the name of the error that ends
 * the process.
 */
import { sql } from 'kysely';
import { SystemClock } from '../../../src/config/clock.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { findWritten } from './written.js';

const [dataDir = '', work = 'wait'] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const database = await openDatabase({ database: { dataDir, poolSize: 2 }, clock: new SystemClock() });
  process.on('SIGTERM', () => {
    void database.close().then(() => process.exit(0));
  });
  say('open');
  if (work === 'write') {
    await sql`create table if not exists written (number integer primary key, twin integer not null)`.execute(database.db);
    const written = await findWritten(database);
    say(JSON.stringify(written));
    for (let number = written.last + 1; ; number++) {
      await database.transaction(async (trx) => {
        await sql`insert into written (number, twin) values (${number}, 0)`.execute(trx);
        await sql`update written set twin = ${number} where number = ${number}`.execute(trx);
      });
      say(String(number));
      // Signals are handled only between two turns of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  setInterval(() => undefined, 1000);
} catch (error) {
  say(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');
  process.exit(1);
}
