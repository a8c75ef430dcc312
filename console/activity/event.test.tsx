/** @jest-environment jsdom */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { startConsolePhrases } from '../../test/support/console-phrases.js';
import { EventWords } from './event.js';

describe('an event in words', () => {
  beforeAll(startConsolePhrases);

  it('shows the time since which events are sent again as a time', () => {
    const since = '2026-11-28T08:00:00.000Z';
    const detail = { sink: 'siem', since, events: 3 };
    const event = { id: '1', at: since, kind: 'sink.replayed', actor: 'operator:olga', detail };
    render(<EventWords entry={{ ...event, account_id: null, username: null, address: null, request_id: null }} />);
    expect(screen.getByTitle(since).getAttribute('datetime')).toBe(since);
    expect(document.body.textContent).not.toContain(since);
  });
});
