/** The apps that a search for people also finds. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { SearchResult } from '../api/calls.js';
import { searchQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { UserText } from '../ui/user-text.js';
import { MAX_GLOBAL_SEARCH, findSearchFault } from './people-filters.js';

/** @returns the link to the page of an app */
export const toClientPage = ({ id }: SearchResult['clients'][number]) =>
  ({ to: '/apps/$client', params: { client: id } }) as const;

export function FoundClients({ text }: { text: string }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const isWanted =
    isAllowed('search.find') &&
    isAllowed('clients.show') &&
    findSearchFault(text) === null &&
    text !== '' &&
    text.length <= MAX_GLOBAL_SEARCH;
  const { data } = useQuery({ ...searchQuery(text), enabled: isWanted });
  const clients = data?.clients ?? [];
  if (clients.length === 0) return null;
  return (
    <nav className="found-clients row wrap" aria-label={t('search.apps')}>
      <b>{t('search.apps')}</b>
      {clients.map((client) => (
        <Link key={client.id} {...toClientPage(client)}>
          <UserText text={client.name || client.id} />
        </Link>
      ))}
    </nav>
  );
}
