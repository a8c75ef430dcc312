/**
 * An error page of the account area (MAN-6, ERR-2). The code comes from the address, so only a known code is shown. A person who
 * is not signed in, for example after opening a bookmark, reads where to sign in.
 */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { RPC_ERROR_STATUS, type RpcErrorCode } from '../../src/contract/rpc.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ErrorDetails } from '../ui/account/error-details.js';
import { toMessage } from '../ui/account/fault.js';
import { DangerIcon, Icon, SignpostIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';

const LockIcon = () => (
  <Icon>
    <rect x="5" y="11" width="14" height="9.5" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3M12 15v2" />
  </Icon>
);

type Code = RpcErrorCode | 'network' | 'generic';

const TEXTS: Partial<Record<Code, MessageKey>> = {
  page_not_found: 'manage_error.page_not_found',
  unauthorized: 'manage_error.unauthorized',
  network: 'fault.network_next',
};

const OUTCOMES: Partial<Record<Code, Outcome>> = {
  page_not_found: { Icon: SignpostIcon },
  unauthorized: { Icon: LockIcon },
};

function toKnownCode({ manage_error: { code } }: PageOf<'manage_error'>): Code {
  if (code === '') return 'page_not_found';
  if (code === 'network') return code;
  return code !== 'error' && Object.keys(RPC_ERROR_STATUS).includes(code) ? (code as RpcErrorCode) : 'generic';
}

/** @returns the message of the specification; unknown codes have the message of `error` (ERR-1) */
const toCodeMessage = (code: Code) => toMessage(code === 'generic' ? 'error' : code);

function toText(code: Code, backUrl: string | undefined): MessageKey {
  return code === 'unauthorized' && backUrl !== undefined ? 'manage_error.app_text' : (TEXTS[code] ?? 'manage_error.text');
}

export function heading(state: PageOf<'manage_error'>) {
  const code = toKnownCode(state);
  if (code !== 'unauthorized') return phrase(toCodeMessage(code));
  // If this browser has a session, only the token of an app was refused.
  return phrase(state.manage_error.back_url === undefined ? 'manage_error.sign_in' : 'manage_error.app');
}

export function Page({ state }: { state: PageOf<'manage_error'> }) {
  const { t } = useTranslation();
  const code = toKnownCode(state);
  const { back_url: backUrl } = state.manage_error;
  // A person whose session ended only has to sign in: there is nothing to report to support.
  const hasDetails = code !== 'page_not_found' && !(code === 'unauthorized' && backUrl === undefined);
  return (
    <div className="flow" data-code={code}>
      <Heading heading={heading(state)} outcome={OUTCOMES[code] ?? { tone: 'danger', Icon: DangerIcon }}>
        <p>{t(toText(code, backUrl), { address: state.app.login_address })}</p>
        {/* For all other codes, this message is the heading. */}
        {code === 'unauthorized' && <p className="small">{t(toCodeMessage(code))}</p>}
      </Heading>
      {backUrl ? (
        <a className="btn primary" href={backUrl}>
          {t('settings.to_settings')}
        </a>
      ) : (
        <ContinueLink app={state.app} isPrimary />
      )}
      {hasDetails && <ErrorDetails facts={[{ name: 'facts.error', value: code, lang: 'en' }]} />}
    </div>
  );
}
