/** After the tests: ends the PostgreSQL server that they started, or removes their databases from the given one; then ends the run. */
export default async function tearDownRun() {
  await globalThis.foyerPostgres?.stop();
  globalThis.foyerRun?.end();
}
