/** `/console/` leads to the first page that the rights allow. */
import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session-context.js';
import { NotAllowedPage } from './error-pages.js';
import { findPages } from './navigation.js';

export function StartPage() {
  const [first] = findPages(useSession());
  return first ? <Navigate to={first.to} replace /> : <NotAllowedPage />;
}
