/** After the tests: ends the server that they started, or removes their databases from the one that was given. */
export default async function stopServer() {
  await globalThis.foyerPostgres?.stop();
}
