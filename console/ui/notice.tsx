/**
 * A message about the last action, above the content of one page, and not shown on other pages. The message stays until it is
 * dismissed or replaced.
 */
import { useLocation } from '@tanstack/react-router';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon, SuccessIcon, WarningIcon } from './icons.js';

interface NoticeState {
  text: ReactNode;
  tone: 'success' | 'warning';
  /** The only page on which the notice is shown. */
  path: string;
}

interface Notices {
  notice: NoticeState | null;
  /** @param options the tone is `success` and the path is the current page by default */
  show(text: ReactNode, options?: Partial<Pick<NoticeState, 'tone' | 'path'>>): void;
  clear(): void;
}

const NoticeContext = createContext<Notices>({ notice: null, show: () => undefined, clear: () => undefined });

export const useNotices = (): Notices => useContext(NoticeContext);

export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<NoticeState | null>(null);
  const { pathname } = useLocation();
  const notices = useMemo<Notices>(
    () => ({
      notice: notice?.path === pathname ? notice : null,
      show: (text, { tone = 'success', path = pathname } = {}) => setNotice({ text, tone, path }),
      clear: () => setNotice(null),
    }),
    [notice, pathname],
  );
  return <NoticeContext value={notices}>{children}</NoticeContext>;
}

/** The live region is always in the page, so that screen readers announce new content. */
export function NoticeRegion() {
  const { t } = useTranslation();
  const { notice, clear } = useNotices();
  return (
    <div className="notice-region" role="status">
      {notice && (
        <div className={`alert ${notice.tone}`}>
          {notice.tone === 'success' ? <SuccessIcon /> : <WarningIcon />}
          <p>{notice.text}</p>
          <button type="button" className="icon-button small" onClick={clear} aria-label={t('notice.dismiss')}>
            <CloseIcon />
          </button>
        </div>
      )}
    </div>
  );
}
