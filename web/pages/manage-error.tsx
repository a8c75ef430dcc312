/** An error page of the account area (MAN-6, ERR-2). The code comes from the address: only known ones have a text. */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { RPC_ERROR_STATUS } from '../../src/contract/rpc.js';
import type { RpcErrorCode } from '../../src/contract/rpc.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { messageOf } from '../ui/account/fault.js';
import { Facts } from '../ui/facts.js';
import { DangerIcon, SignpostIcon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';

const TEXTS: Partial<Record<RpcErrorCode, MessageKey>> = {
  page_not_found: 'manage_error.page_not_found',
  unauthorized: 'manage_error.unauthorized',
};

function knownCode({ manage_error: { code } }: PageOf<'manage_error'>): RpcErrorCode | 'network' {
  if (code === '') return 'page_not_found';
  if (code === 'network') return code;
  return Object.hasOwn(RPC_ERROR_STATUS, code) ? (code as RpcErrorCode) : 'error';
}

export const heading = (state: PageOf<'manage_error'>) => phrase(messageOf(knownCode(state)));

export function Page({ state }: { state: PageOf<'manage_error'> }) {
  const { t } = useTranslation();
  const code = knownCode(state);
  const isLost = code === 'page_not_found';
  const next = code === 'network' ? 'fault.network_next' : (TEXTS[code] ?? 'manage_error.text');
  const { back_url: back } = state.manage_error;
  return (
    <div className="flow" data-code={code}>
      <Heading heading={heading(state)} outcome={isLost ? { Icon: SignpostIcon } : { tone: 'danger', Icon: DangerIcon }}>
        <p>{t(next)}</p>
      </Heading>
      {!isLost && <Facts facts={[{ name: 'facts.error', value: code, lang: 'en' }]} />}
      {back ? (
        <a className="btn" href={back}>
          {t('settings.to_settings')}
        </a>
      ) : (
        <ContinueLink app={state.app} />
      )}
    </div>
  );
}
