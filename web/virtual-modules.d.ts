/** Made by `web/build/page-phrases.ts`: the chunks of phrases by their module name. */
declare module 'virtual:page-phrases' {
  const loaders: Readonly<Record<string, () => Promise<{ default: Record<string, string> }>>>;
  export default loaders;
}
