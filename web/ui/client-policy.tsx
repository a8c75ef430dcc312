/**
 * Links to the app's privacy policy and terms, which a provider should display (OpenID Connect Dynamic Client Registration, section 2).
 * The server has checked that they are http(s) addresses (CON-2).
 */
import { useTranslation } from 'react-i18next';
import type { ClientWithPolicyState } from '../../src/contract/request-state.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import type { MessageKey } from '../i18n/phrase.js';

export function ClientPolicy({ client }: { client: ClientWithPolicyState }) {
  const { t } = useTranslation();
  const key = findPolicyKey(client);
  if (!key) return null;
  const components = {
    client: <Isolated text={client.name || t('policy.the_app')} />,
    policy: <a href={client.policy_uri} rel="noopener noreferrer" />,
    terms: <a href={client.tos_uri} rel="noopener noreferrer" />,
  };
  return (
    <p className="small quiet-text">
      <MarkedPhrase i18nKey={key} components={components} />
    </p>
  );
}

type PolicyKey = Extract<MessageKey, 'policy.policy' | 'policy.both' | 'policy.terms'>;

function findPolicyKey({ policy_uri: policy, tos_uri: terms }: ClientWithPolicyState): PolicyKey | null {
  if (policy && terms) return 'policy.both';
  if (policy) return 'policy.policy';
  return terms ? 'policy.terms' : null;
}
