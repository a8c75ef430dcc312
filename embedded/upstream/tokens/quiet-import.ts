/**
 * oidc-provider prints notices for developers to the console, one of them on import if it does not support the version of Node. The
 * notice on import is suppressed; configuration prevents the others.
 */
import type * as oidcProvider from 'oidc-provider';

type ConsoleMethod = 'info' | 'warn';

/** Matches a notice, which starts with colour codes if the console is a terminal. */
const NOTICE = /^.{0,10}oidc-provider (NOTICE|WARNING): /;

export type ProviderLibrary = typeof oidcProvider;

export async function importProvider(): Promise<ProviderLibrary> {
  const restoreFunctions = [suppressNotices('info'), suppressNotices('warn')];
  try {
    return await import('oidc-provider');
  } finally {
    for (const restore of restoreFunctions) restore();
  }
}

function suppressNotices(method: ConsoleMethod): () => void {
  const { console: globalConsole } = globalThis;
  const originalFunction = globalConsole[method].bind(globalConsole);
  globalConsole[method] = (...args: unknown[]) => {
    if (typeof args[0] === 'string' && NOTICE.test(args[0])) return;
    originalFunction(...args);
  };
  return () => {
    globalConsole[method] = originalFunction;
  };
}
