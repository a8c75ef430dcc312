export default async function stopServer() {
  await globalThis.foyerPostgres?.stop();
}
