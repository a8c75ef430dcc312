/** Loads the user with an RPC call if the page state contains no user, and shows a spinner meanwhile (MAN-7). */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { UserInfoAnswer } from '../../src/contract/rpc.js';
import { address } from '../browser/address.js';
import { useOnce } from '../browser/once.js';
import { useRpcClient } from '../ui/account/manage-frame.js';
import { Notice } from '../ui/notice.js';

export function LoadUser({ state, children }: { state: PageOf<'manage'>; children: (user: UserState) => ReactNode }) {
  const { t } = useTranslation();
  const calls = useRpcClient(state, PATHS.manage);
  const [user, setUser] = useState<UserState | null>(null);
  useOnce(() => {
    void calls.get<UserInfoAnswer>('/userinfo').then((answer) => {
      if (answer.kind === 'failed') address.goTo(PATHS.manageError + encodeURIComponent(answer.code));
      else setUser(toUser(answer.body, state.manage.username));
    });
  });
  if (user) return children(user);
  return (
    <>
      <h1 className="sr">{t('settings.settings')}</h1>
      <Notice tone="warning" className="without-script" message={t('manage.loading_script')}>
        <p>
          <a href={PATHS.manage}>{t('app.try_again')}</a>
        </p>
      </Notice>
      <div className="page-wait needs-script" role="status">
        <span className="spinner" /> {t('manage.loading')}
      </div>
    </>
  );
}

function toUser({ user_id: id, display_name, picture }: UserInfoAnswer, username: string): UserState {
  return { id, username, display_name, ...(picture && { picture }) };
}
