/** What every page stands in: brand and way back on top, the card, the footer. It renders the inside of `#root`. */
import type { ReactNode } from 'react';
import type { AppState } from '../../src/contract/page-state.js';
import { Footer } from './footer.js';
import { Header } from './header.js';

export function Shell({ app, children }: { app: AppState; children: ReactNode }) {
  return (
    <>
      <Header app={app} />
      <main className="card">{children}</main>
      <Footer app={app} />
    </>
  );
}
