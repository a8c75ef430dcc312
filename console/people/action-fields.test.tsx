/** @jest-environment jsdom */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { createQueryClient } from '../api/query-client.js';
import { sourcesQuery } from '../api/queries.js';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { LinkFields } from './action-fields.js';

describe('the fields that connect an account with a source', () => {
  beforeAll(startConsolePhrases);

  it.each([
    ['there is no source', []],
    ['there are only SCIM sources, which take over accounts themselves', [{ id: 'entra', name: 'Entra', type: 'scim' }]],
  ])('say so if %s', (_, sources) => {
    const client = createQueryClient();
    client.setQueryData(sourcesQuery.queryKey, { sources } as never);
    const { unmount } = render(
      <QueryClientProvider client={client}>
        <LinkFields link={{ source: '', person: '', isProvider: false }} isWrong={false} onChange={() => undefined} />
      </QueryClientProvider>,
    );
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Please choose']);
    screen.getByText('No user source and no provider that accounts can be connected with is configured.');
    unmount();
  });
});
