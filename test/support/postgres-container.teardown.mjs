export default async function stopContainer() {
  await globalThis.foyerPostgres?.stop();
}
