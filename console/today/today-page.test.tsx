/** @jest-environment jsdom */
import { beforeAll, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { todayQuery } from '../api/queries.js';
import { createQueryClient } from '../api/query-client.js';
import { TodayPage } from './today-page.js';

beforeAll(startConsolePhrases);

it('a source keeps its name even if a part of the installation has the same one', async () => {
  const client = createQueryClient();
  const row = { count: 1, names: ['upstream'], id: null, since: null };
  const rows = [
    { ...row, kind: 'health' },
    { ...row, kind: 'sources' },
  ];
  client.setQueryData(todayQuery.queryKey, { rows } as never);
  renderConsolePage(
    { component: TodayPage, path: '/today', address: '/today' },
    { client, session: { operations: ['today.show'] } },
  );
  await screen.findByText('upstream');
  screen.getByText('Hydra');
});
