/** The queries of the pages. All keys about one account begin with `['account', id]`, so that an action can reload all of them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ActivityFilters } from '../activity/activity-filters.js';
import type { SinkFilters } from '../installation/sink-filters.js';
import type { InvitationFilters } from '../people/invitation-filters.js';
import type { MailFilters } from '../installation/mail-filters.js';
import type { PeopleFilters } from '../people/people-filters.js';
import { ApiError } from './api-error.js';
import { api, unwrap } from './calls.js';
import { BACKGROUND } from './send.js';

/** Removes the members that have no value, so that the query has no empty parameters. */
const toQuery = (filters: object) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as Record<
    string,
    string
  >;

const PAGE_SIZE = '50';

export const accountsQuery = (filters: PeopleFilters) =>
  queryOptions({
    queryKey: ['accounts', filters],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/accounts', { params: { query: { ...toQuery(filters), limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });

/** A few accounts to choose from. */
export const candidatesQuery = (search: string) =>
  queryOptions({
    queryKey: ['accounts', 'candidates', search],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts', { params: { query: { search, limit: '8' } }, signal })),
    placeholderData: keepPreviousData,
  });

export const accountKey = (id: string) => ['account', id] as const;

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'detail'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts/{id}', { params: { path: { id } }, signal })),
  });

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'sessions'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts/{id}/sessions', { params: { path: { id } }, signal })),
  });

export const browserTrustQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'trusted-browsers'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts/{id}/trusted-browsers', { params: { path: { id } }, signal })),
  });

const ACCEPTANCES_SIZE = '20';

export const acceptancesQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'terms'],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { limit: ACCEPTANCES_SIZE } };
      return unwrap(api.GET('/operator/v1/accounts/{id}/terms', { params, signal }));
    },
  });

/** The text with a hash never changes. */
export const termsTextQuery = (sha256: string) =>
  queryOptions({
    queryKey: ['terms-text', sha256],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/terms/texts/{sha256}', { params: { path: { sha256 } }, signal })),
    staleTime: Infinity,
  });

/** The check that this operator has begun; null if there is none. */
export const supportCheckQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'support-check'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/accounts/{id}/support-check', { params: { path: { id } }, signal })).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'support_check_not_found') return null;
          throw error;
        },
      ),
  });

export const providersQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'providers'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts/{id}/providers', { params: { path: { id } }, signal })),
  });

/** How many events the page of a person shows. */
const LAST_EVENTS = '8';

export const lastEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'events'],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { limit: LAST_EVENTS } };
      return unwrap(api.GET('/operator/v1/accounts/{id}/audit', { params, signal }));
    },
  });

export interface EventPageOptions {
  limit?: string;
  signal?: AbortSignal;
  /** Whether the page makes the call on its own. */
  isBackground?: boolean;
}

export function fetchEvents(filters: ActivityFilters, { limit = PAGE_SIZE, signal, isBackground }: EventPageOptions = {}) {
  return unwrap(
    api.GET('/operator/v1/audit', {
      params: { query: { ...toQuery(filters), limit } },
      ...(signal ? { signal } : {}),
      ...(isBackground ? { headers: BACKGROUND } : {}),
    }),
  );
}

export const eventsQuery = (filters: ActivityFilters) =>
  queryOptions({
    queryKey: ['events', filters],
    queryFn: ({ signal }) => fetchEvents(filters, { signal }),
    placeholderData: keepPreviousData,
  });

export const operatorsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['operators', cursor],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/operators', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Which rights of operators the account has. */
export const operatorQuery = (id: string) =>
  queryOptions({
    queryKey: [...accountKey(id), 'operator-rights'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/accounts/{id}/operator-rights', { params: { path: { id } }, signal })),
  });

/** The operators that a filter offers. The limit is higher than the number of operators that an installation should have. */
export const knownOperatorsQuery = queryOptions({
  queryKey: ['operators', 'known'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/operators', { params: { query: { limit: '200' } }, signal })),
  staleTime: 300_000,
});

/** How often the page of a job reloads the job. */
const JOB_INTERVAL_MS = 2000;

export const jobsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['jobs', cursor],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/jobs', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
    placeholderData: keepPreviousData,
  });

/** While the job runs, the page reloads it on its own. */
export const jobQuery = (job: string) =>
  queryOptions({
    queryKey: ['job', job],
    queryFn: ({ signal, client }) => {
      const isReload = client.getQueryData(['job', job]) !== undefined;
      const headers = isReload ? { headers: BACKGROUND } : {};
      return unwrap(api.GET('/operator/v1/jobs/{job}', { params: { path: { job } }, signal, ...headers }));
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? JOB_INTERVAL_MS : false),
  });

/** @param failureCount the number of failures so far; the page loads the list again on its own when the number changes */
export const jobFailuresQuery = (job: string, cursor: string | undefined, failureCount: number) =>
  queryOptions({
    queryKey: ['job', job, 'failures', cursor, failureCount],
    queryFn: ({ signal, client }) => {
      const listKey = ['job', job, 'failures', cursor];
      const isReload = client
        .getQueryCache()
        .findAll({ queryKey: listKey })
        .some(({ state }) => state.status !== 'pending');
      const params = { path: { job }, query: cursor === undefined ? {} : { cursor } };
      const headers = isReload ? { headers: BACKGROUND } : {};
      return unwrap(api.GET('/operator/v1/jobs/{job}/failures', { params, signal, ...headers }));
    },
    placeholderData: keepPreviousData,
  });

export const savedFiltersQuery = queryOptions({
  queryKey: ['saved-filters'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/filters', { signal })),
  staleTime: 60_000,
});

export const clientsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['clients', cursor],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/clients', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
    placeholderData: keepPreviousData,
  });

/** The kinds of apps change with the version of the server only. */
export const presetsQuery = queryOptions({
  queryKey: ['client-presets'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/clients/presets', { signal })),
  staleTime: Infinity,
});

export const clientKey = (client: string) => ['client', client] as const;

export const clientQuery = (client: string) =>
  queryOptions({
    queryKey: [...clientKey(client), 'detail'],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/clients/{client}', { params: { path: { client } }, signal })),
  });

const PEOPLE_PAGE_SIZE = '20';

export const clientPeopleQuery = (client: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...clientKey(client), 'people', cursor],
    queryFn: ({ signal }) => {
      const query = { limit: PEOPLE_PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
      return unwrap(api.GET('/operator/v1/clients/{client}/people', { params: { path: { client }, query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const clientPreviewQuery = (client: string, account: string) =>
  queryOptions({
    queryKey: [...clientKey(client), 'preview', account],
    queryFn: ({ signal }) => {
      const params = { path: { client }, query: { account } };
      return unwrap(api.GET('/operator/v1/clients/{client}/preview', { params, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** What the search box finds for a text. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['found', text],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/search', { params: { query: { q: text } }, signal })),
  });

export const APPROVALS_KEY = ['approvals'] as const;

export const approvalsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, 'list', cursor],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/approvals', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
    placeholderData: keepPreviousData,
  });

export const approvalQuery = (approval: string) =>
  queryOptions({
    queryKey: [...APPROVALS_KEY, approval],
    queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/approvals/{approval}', { params: { path: { approval } }, signal })),
  });

export const operatorSessionsQuery = queryOptions({
  queryKey: ['operator-sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/operator-sessions', { signal })),
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/health', { signal })),
});

/** All keys about invitations begin with this one, so that a change can reload all of them. */
export const invitationKey = ['invitations'] as const;

export const invitationsQuery = (filters: InvitationFilters) =>
  queryOptions({
    queryKey: [...invitationKey, 'list', filters],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/invitations', { params: { query: { ...toQuery(filters), limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });

/** All keys about mails begin with this one, so that a retry can reload all of them. */
export const mailKey = ['mails'] as const;

export const mailsQuery = (filters: MailFilters) =>
  queryOptions({
    queryKey: [...mailKey, 'list', filters],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/mails', { params: { query: { ...toQuery(filters), limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });

export const mailCausesQuery = queryOptions({
  queryKey: [...mailKey, 'causes'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/mails/causes', { signal })),
});

/** All keys about event sinks begin with this one, so that a change can reload all of them. */
export const sinkKey = ['sinks'] as const;

export const sinksQuery = queryOptions({
  queryKey: [...sinkKey, 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/sinks', { signal })),
});

export const deliveriesQuery = (sink: string, { delivery: state, cursor }: SinkFilters) =>
  queryOptions({
    queryKey: [...sinkKey, 'deliveries', sink, state, cursor],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/operator/v1/sinks/{sink}/deliveries', {
          params: { path: { sink }, query: { ...toQuery({ state, cursor }), limit: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const todayQuery = queryOptions({
  queryKey: ['today'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/today', { signal })),
});

export const signUpsKey = ['sign-ups'] as const;

export const signUpsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...signUpsKey, cursor],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/sign-ups', { params: { query: { ...toQuery({ cursor }), limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });

export const sourcesKey = ['sources'] as const;

export const sourcesQuery = queryOptions({
  queryKey: [...sourcesKey, 'list'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/sources', { signal })),
});

export const scimFaultsQuery = (source: string) =>
  queryOptions({
    queryKey: [...sourcesKey, 'refused', source],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/operator/v1/scim/faults', { params: { query: { source, limit: PAGE_SIZE } }, signal })),
  });

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => unwrap(api.GET('/operator/v1/settings', { signal })),
});
