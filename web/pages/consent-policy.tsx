/** Links to the app's privacy policy and terms. The server has checked that they are http(s) addresses (CON-2). */
import { Trans, useTranslation } from 'react-i18next';
import type { ConsentState } from '../../src/contract/page-state.js';
import { Isolated } from '../i18n/isolated.js';
import type { MessageKey } from '../i18n/phrase.js';

export function ConsentPolicy({ client }: { client: ConsentState['client'] }) {
  const { t } = useTranslation();
  const key = phraseFor(client);
  if (!key) return null;
  const components = {
    client: <Isolated text={client.name || t('consent.the_app')} />,
    policy: <a href={client.policy_uri} rel="noreferrer" />,
    terms: <a href={client.tos_uri} rel="noreferrer" />,
  };
  return (
    <p className="small quiet-text">
      <Trans i18nKey={key} components={components} />
    </p>
  );
}

type PolicyKey = Extract<MessageKey, 'consent.policy' | 'consent.policy_and_terms' | 'consent.terms'>;

function phraseFor({ policy_uri: policy, tos_uri: terms }: ConsentState['client']): PolicyKey | null {
  if (policy && terms) return 'consent.policy_and_terms';
  if (policy) return 'consent.policy';
  return terms ? 'consent.terms' : null;
}
