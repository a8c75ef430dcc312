/** Requests new events every few seconds while the page is visible. These calls do not keep an idle session alive. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AuditPage } from '../api/calls.js';
import { eventsQuery, fetchEvents } from '../api/queries.js';
import type { ActivityFilters } from './activity-filters.js';

const POLL_MS = 5_000;

export interface Live {
  /** Ids of the events that the last call added. */
  freshIds: ReadonlySet<string>;
  error: unknown;
}

const NO_LIVE_EVENTS: Live = { freshIds: new Set(), error: null };

export function useLive(isOn: boolean, filters: ActivityFilters): Live {
  const client = useQueryClient();
  const [live, setLive] = useState(NO_LIVE_EVENTS);
  // The filters are compared by their content.
  const key = JSON.stringify(filters);
  useEffect(() => {
    if (!isOn) return;
    const currentFilters = JSON.parse(key) as ActivityFilters;
    const { queryKey } = eventsQuery(currentFilters);
    let isPolling = false;
    let isEnded = false;
    const poll = async (): Promise<void> => {
      if (isPolling || document.visibilityState !== 'visible') return;
      isPolling = true;
      try {
        const page = await fetchEvents(currentFilters, { isBackground: true });
        if (isEnded) return;
        const previous = client.getQueryData(queryKey);
        client.setQueryData(queryKey, page);
        setLive({ freshIds: findFreshIds(page, previous), error: null });
      } catch (error) {
        if (!isEnded) setLive({ freshIds: new Set(), error });
      } finally {
        isPolling = false;
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      isEnded = true;
      clearInterval(timer);
      setLive(NO_LIVE_EVENTS);
    };
  }, [isOn, key, client]);
  return live;
}

function findFreshIds(page: AuditPage, previous: AuditPage | undefined): ReadonlySet<string> {
  const ids = new Set(previous?.entries.map(({ id }) => id));
  return new Set(previous === undefined ? [] : page.entries.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
}
