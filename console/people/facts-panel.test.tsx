/** @jest-environment jsdom */
import { afterEach, beforeAll, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { renderInConsole } from '../../test/support/console-render.js';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { FactsPanel } from './facts-panel.js';

beforeAll(startConsolePhrases);
afterEach(() => {
  jest.restoreAllMocks();
});

it('a language with an extension is named in browsers that name only languages without one (ECMA-402)', () => {
  const { of: nameLanguage } = Intl.DisplayNames.prototype;
  jest.spyOn(Intl.DisplayNames.prototype, 'of').mockImplementation(function (this: Intl.DisplayNames, tag) {
    if (/-[a-z]-/.test(tag)) throw new RangeError('invalid language');
    return nameLanguage.call(this, tag);
  });
  renderInConsole(<FactsPanel account={{ ...ACCOUNTS[0]!, language: 'de-u-co-phonebk' }} />, { session: {} });
  screen.getByText('German');
});
