/** Requests new events every few seconds while the page is visible. These calls do not keep an idle session alive. */
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
    const currentFilters = JSON.parse(key) as ActivityFilters;
    const { queryKey } = eventsQuery(currentFilters);
    let isPolling = false;
    const poll = async (): Promise<void> => {
      if (isPolling || document.visibilityState !== 'visible') return;
      isPolling = true;
      try {
        const page = await fetchEvents(currentFilters, { isBackground: true });
        const previous = client.getQueryData(queryKey);
        client.setQueryData(queryKey, page);
        setLive({ fresh: findFresh(page, previous), error: null });
      } catch (error) {
        setLive({ fresh: new Set(), error });
      } finally {
        isPolling = false;
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      clearInterval(timer);
      setLive(NOTHING);
    };
  }, [isOn, key, client]);
  return live;
}

function findFresh(page: AuditPage, previous: AuditPage | undefined): ReadonlySet<string> {
  const ids = new Set(previous?.entries.map(({ id }) => id));
  return new Set(previous === undefined ? [] : page.entries.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
}
