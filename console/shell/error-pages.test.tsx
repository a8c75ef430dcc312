/** @jest-environment jsdom */
import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { CrashPage } from './error-pages.js';

beforeAll(startConsolePhrases);
afterEach(cleanup);

it('an error of one page is shown inside the shell, and any other error on a page of its own', () => {
  const page = <CrashPage error={new Error('no such row')} reset={() => undefined} />;
  renderInConsole(<main>{page}</main>, { session: {} });
  expect(screen.getByRole('main').textContent).toContain('no such row');
  expect(screen.queryByRole('banner')).toBeNull();
  cleanup();
  render(page);
  expect(screen.getByRole('main').textContent).toContain('no such row');
  screen.getByRole('banner');
});
