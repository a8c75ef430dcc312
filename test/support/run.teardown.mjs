/** After the tests: ends the server that they started, or removes their databases from the one that was given; then the run. */
export default async function tearDownRun() {
  await globalThis.foyerPostgres?.stop();
  globalThis.foyerRun?.end();
}
