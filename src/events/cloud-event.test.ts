import { expect, it } from '@jest/globals';
import { toCloudEvent } from './cloud-event.js';
import type { SinkEvent } from './sink-event.js';

const EVENT: SinkEvent = {
  id: '17',
  kind: 'account.disabled',
  at: new Date('2026-11-28T09:00:00Z'),
  actor: 'operator',
  operator: 'olga',
  account: { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55', username: 'maria' },
  address: '192.0.2.7',
  requestId: 'r1',
  detail: { reason: 'left' },
};

const read = (event: SinkEvent) => JSON.parse(toCloudEvent(event, 'https://login.example.com')) as Record<string, never>;

it('has the members of CloudEvents 1.0, and the audit event as data', () => {
  expect(read(EVENT)).toEqual({
    specversion: '1.0',
    id: '17',
    source: 'https://login.example.com',
    type: 'foyer.account.disabled',
    time: '2026-11-28T09:00:00.000Z',
    subject: EVENT.account?.id,
    datacontenttype: 'application/json',
    data: {
      kind: 'account.disabled',
      actor: 'operator',
      operator: 'olga',
      account: EVENT.account,
      address: '192.0.2.7',
      request_id: 'r1',
      detail: { reason: 'left' },
    },
  });
  expect(read({ ...EVENT, account: null })).not.toHaveProperty('subject');
});

it('is never longer than 64 KB: the largest members of the detail are left out and named', () => {
  const detail = { reason: 'left', list: Array<string>(8000).fill('ä'.repeat(5)), groups: 'g'.repeat(60_000) };
  const text = toCloudEvent({ ...EVENT, detail }, 'https://login.example.com');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
  const { data } = JSON.parse(text) as { data: unknown };
  expect(data).toMatchObject({ detail: { reason: 'left' }, left_out: expect.arrayContaining(['list']) });
});
