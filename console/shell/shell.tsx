/** The frame of every page of a signed-in operator: navigation, search, and the menu of the operator. */
import { Link, useMatchRoute } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PhraseKey } from '../i18n/i18n.js';
import { useSession } from '../session/session-context.js';
import { DoorMark } from '../ui/icons.js';
import { NoticeRegion } from '../ui/notice.js';
import { listPages } from './navigation.js';
import { OperatorMenu } from './operator-menu.js';
import { SearchBox } from './search-box.js';

/** With more pages, the navigation has a row of its own in a window of medium width. */
const MAX_PAGES_IN_ROW = 6;

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { public_url: publicUrl, ...session } = useSession();
  const matchRoute = useMatchRoute();
  const pages = listPages(session);
  const currentPage = pages.findLast(({ to }) => matchRoute({ to, fuzzy: true }) !== false);
  const nav = useRef<HTMLElement>(null);
  // On a phone, many pages do not fit next to each other.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [currentPage?.to]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('app.skip')}
      </a>
      <header className={pages.length > MAX_PAGES_IN_ROW ? 'top many-pages' : 'top'}>
        <Link to="/" className="brand">
          <DoorMark /> Foyer <span className="brand-part">{toHost(publicUrl)}</span>
        </Link>
        <nav ref={nav} className="nav" aria-label={t('app.navigation')}>
          {pages.map(({ to, label, Icon }) => (
            // The address of a page may begin with the address of another one.
            <Link key={to} to={to} className="nav-link" activeOptions={{ exact: to !== currentPage?.to }}>
              <Icon />
              <span>{t(label satisfies PhraseKey)}</span>
            </Link>
          ))}
        </nav>
        {session.operations.includes('accounts.list') && <SearchBox />}
        <OperatorMenu />
      </header>
      <main id="main" tabIndex={-1}>
        <NoticeRegion />
        {children}
      </main>
    </div>
  );
}

function toHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
