/** @jest-environment jsdom */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { HealthPart } from './health-page.js';

describe('the health page', () => {
  beforeAll(startConsolePhrases);

  it.each([
    ['clock', 'ok', 'Clock Correct'],
    ['clock', 'unavailable', 'Clock Wrong'],
    ['database', 'ok', 'Database Answers'],
    ['database', 'unavailable', 'Database No answer'],
  ] as const)('has words for the state of a part: %s is %s', (name, state, words) => {
    const { unmount } = render(<HealthPart name={name} state={state} />);
    const { textContent } = screen.getByRole('listitem');
    expect(textContent.replace(/(Clock|Database)\s*/, '$1 ')).toBe(words);
    unmount();
  });
});
