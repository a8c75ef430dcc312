/** `/console/` leads to the first page that the rights allow. */
import { Navigate } from '@tanstack/react-router';
import { useSession } from '../session/session-context.js';
import { NotAllowedPage } from './error-pages.js';
import { listPages } from './navigation.js';

export function StartPage() {
  const [firstPage] = listPages(useSession());
  return firstPage ? <Navigate to={firstPage.to} replace /> : <NotAllowedPage />;
}
