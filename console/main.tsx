/** Starts the console: theme and language first, so that the page does not change after it is shown. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.js';
import { listenForForbidden } from './api/send.js';
import { applyTheme, readTheme } from './browser/theme.js';
import { startPhrases } from './i18n/i18n.js';
import { selectLanguage } from './i18n/languages.js';
import { createConsoleRouter } from './router.js';
import { reloadSession, sessionQuery } from './session/session.js';
import './styles/index.css';

applyTheme(readTheme());

// A page that Back restores from the cache of the browser could show data of an ended session.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

const client = createQueryClient();
listenForForbidden(() => void reloadSession(client));

// The page shows what went wrong, so a failure only means that the language of the account is unknown.
const session = await client.query(sessionQuery).catch(() => null);
const language = selectLanguage(session?.operator.language ?? null, navigator.languages);
await startPhrases(language).catch((error: unknown) => {
  // Without phrases, only the page itself has words.
  document.getElementById('load-fault')?.removeAttribute('hidden');
  throw error;
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
