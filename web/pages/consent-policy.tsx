/** Where the app says what it does with the data: its own addresses, checked by the server to be http(s) (CON-2). */
import type { ReactNode } from 'react';
import type { ConsentState } from '../../src/contract/page-state.js';
import { phrase } from '../phrases/phrase.js';
import type { MessageKey } from '../phrases/phrase.js';
import { Say, usePhrases } from '../phrases/say.js';

export function ConsentPolicy({ client }: { client: ConsentState['client'] }) {
  const { text } = usePhrases();
  const key = phraseFor(client);
  if (!key) return null;
  const link = (url: string | undefined) => (words: ReactNode) => (
    <a href={url} rel="noreferrer">
      {words}
    </a>
  );
  return (
    <p className="small quiet-text">
      <Say
        phrase={phrase(key, { client: client.name || text('consent.the_app') })}
        marks={{ policy: link(client.policy_uri), terms: link(client.tos_uri) }}
      />
    </p>
  );
}

function phraseFor({ policy_uri: policy, tos_uri: terms }: ConsentState['client']): MessageKey | null {
  if (policy && terms) return 'consent.policy_and_terms';
  if (policy) return 'consent.policy';
  return terms ? 'consent.terms' : null;
}
