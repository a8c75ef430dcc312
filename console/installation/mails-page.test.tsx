/** @jest-environment jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderConsolePage } from '../../test/support/console-render.js';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/calls.js';
import { createQueryClient } from '../api/query-client.js';
import { mailsQuery } from '../api/queries.js';
import { MailsPage } from './mails-page.js';

beforeAll(startConsolePhrases);
// The environment has a `scrollTo` that only reports an error.
beforeAll(() => void Object.assign(window, { scrollTo: () => undefined }));

it('the page of the mails says that the causes could not be loaded', async () => {
  const failure = new ApiError(400, 'unknown', 'The causes cannot be read.');
  jest.spyOn(api, 'GET').mockImplementation(() => Promise.reject(failure));
  const client = createQueryClient();
  client.setQueryData(mailsQuery({}).queryKey, { mails: [] });
  const path = '/installation/mails';
  renderConsolePage(
    { component: MailsPage, path, address: path },
    { client, session: { operations: ['mails.list', 'mails.causes'] } },
  );
  expect((await screen.findByRole('alert')).textContent).toContain('The causes cannot be read.');
});
