/** The one way on from a page that ends something: back to the app, else to where a sign-in begins, else nothing. */
import type { AppState } from '../../src/contract/page-state.js';
import { usePhrases } from '../phrases/say.js';
import { backTo } from './header.js';

export function WayOn({ app }: { app: AppState }) {
  const { text } = usePhrases();
  if (app.return_to_url) {
    return (
      <a className="btn" href={app.return_to_url} rel="noreferrer">
        {text(backTo(app))}
      </a>
    );
  }
  if (!app.home_url) return null;
  return (
    <a className="btn" href={app.home_url}>
      {text('app.go_to_sign_in')}
    </a>
  );
}
