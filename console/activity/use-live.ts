/** Looks for new events every few seconds while the page is visible. These calls do not keep an idle session alive. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AuditPage } from '../api/calls.js';
import { eventsQuery, fetchEvents } from '../api/queries.js';
import type { ActivityFilters } from './activity-filters.js';

const POLL_MS = 5_000;

export interface Live {
  /** Ids of the events that the last call added. */
  fresh: ReadonlySet<string>;
  error: unknown;
}

const NOTHING: Live = { fresh: new Set(), error: null };

export function useLive(isOn: boolean, filters: ActivityFilters): Live {
  const client = useQueryClient();
  const [live, setLive] = useState(NOTHING);
  // The filters are compared by their content.
  const key = JSON.stringify(filters);
  useEffect(() => {
    if (!isOn) return;
    const wanted = JSON.parse(key) as ActivityFilters;
    const { queryKey } = eventsQuery(wanted);
    let isLooking = false;
    const look = async (): Promise<void> => {
      if (isLooking || document.visibilityState !== 'visible') return;
      isLooking = true;
      try {
        const page = await fetchEvents(wanted, { isBackground: true });
        const known = client.getQueryData(queryKey);
        client.setQueryData(queryKey, page);
        setLive({ fresh: findFresh(page, known), error: null });
      } catch (error) {
        setLive({ fresh: new Set(), error });
      } finally {
        isLooking = false;
      }
    };
    const timer = setInterval(() => void look(), POLL_MS);
    return () => {
      clearInterval(timer);
      setLive(NOTHING);
    };
  }, [isOn, key, client]);
  return live;
}

function findFresh(page: AuditPage, known: AuditPage | undefined): ReadonlySet<string> {
  const ids = new Set(known?.entries.map(({ id }) => id));
  return new Set(known === undefined ? [] : page.entries.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
}
