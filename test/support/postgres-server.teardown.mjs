/** After the tests: ends the server that they started, or removes their databases from the one that was given. */
import pg from 'pg';

export default async function stopServer() {
  const { TEST_DATABASE_URL, TEST_DATABASE_PREFIX } = process.env;
  if (globalThis.foyerPostgres) await globalThis.foyerPostgres.stop();
  else if (TEST_DATABASE_URL) await removeDatabases(TEST_DATABASE_URL, TEST_DATABASE_PREFIX);
}

async function removeDatabases(connectionString, prefix) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}
