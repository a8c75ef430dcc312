/** The layout of every page: header, card, footer. It renders the content of `#root`. */
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
