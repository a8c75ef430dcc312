/**
 * oidc-provider writes notices for its deployers to the console, one of them while it is loaded. They are about a server
 * that this one is not. For the time of loading they are kept from the console; configuration keeps away the others.
 */
import type * as oidcProvider from 'oidc-provider';

type ConsoleMethod = 'info' | 'warn';

/** Coloured where the console is a terminal. */
const NOTICE = /^.{0,10}oidc-provider (NOTICE|WARNING): /;

export type ProviderLibrary = typeof oidcProvider;

export async function importProvider(): Promise<ProviderLibrary> {
  const restore = [hush('info'), hush('warn')];
  try {
    return await import('oidc-provider');
  } finally {
    for (const undo of restore) undo();
  }
}

function hush(method: ConsoleMethod): () => void {
  const { console: terminal } = globalThis;
  const usual = terminal[method].bind(terminal);
  terminal[method] = (...words: unknown[]) => {
    if (typeof words[0] === 'string' && NOTICE.test(words[0])) return;
    usual(...words);
  };
  return () => {
    terminal[method] = usual;
  };
}
