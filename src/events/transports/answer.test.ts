import { describe, expect, it } from '@jest/globals';
import { buildExample } from '../events-document.js';
import { toDeliveryAnswer, toShownText, type SentValues } from './answer.js';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const SENT_VALUES: SentValues = {
  event: {
    ...buildExample('account.deleted'),
    account: { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55', username: "maria o'brien", email: 'maria+x@example.org' },
  },
  secrets: [SECRET, 'Basic Zm9v'],
};

const answer = (status: number, body = '') => ({ kind: 'answer', status, type: 'text/plain', body }) as const;

describe('the text of an answer that operators see', () => {
  it.each([
    ['down for repair, ask again', 'down for repair, ask again'],
    [`bad key ${SECRET}!`, 'bad key …!'],
    ['got Basic Zm9v', 'got …'],
    ['{"authorization":"Zm9v"}', '{"authorization":"…"}'],
    ['webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=', 'webhook-signature: v1,…'],
    ["no user MARIA O'Brien", 'no user …'],
    ["no user maria%20o'brien", 'no user …'],
    ['no user maria+x@example.org here', 'no user … here'],
    ['<olga@example.com> and olga%40example.com', '<…> and …'],
    ['subject "legacy-4711"', 'subject "…"'],
    ['id 7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55', 'id 7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55'],
    ['a\u0000b\u202Ec\r\n', 'a b c'],
  ])('is, for %s, %s', (text, expected) => expect(toShownText(text, SENT_VALUES)).toBe(expected));

  it('ends after 500 characters, and contains no part of a secret that is cut off', () => {
    expect(toShownText('xy '.repeat(4000), SENT_VALUES)).toHaveLength(500);
    expect(toShownText(`${'x '.repeat(240)}${SECRET}`, SENT_VALUES)).toBe(`${'x '.repeat(240)}…`);
  });

  it('is taken from the beginning of a long answer, and omits a word that is too long', () => {
    expect(toShownText('-'.repeat(64 * 1024), SENT_VALUES)).toBe('');
    expect(toShownText(`${'no '.repeat(1000)}${'-'.repeat(64 * 1024)}`, SENT_VALUES)).toHaveLength(500);
  });

  it('keeps other words that contain the letters of a short name', () => {
    const event = { ...SENT_VALUES.event, account: { id: 'a', username: 'bo' } };
    expect(toShownText('about bo', { ...SENT_VALUES, event })).toBe('about …');
  });
});

describe('an event whose answer has the status', () => {
  it.each([
    [204, true, undefined],
    [400, false, true],
    [413, false, true],
    [422, false, true],
    [401, false, undefined],
    [404, false, undefined],
    [429, false, undefined],
    [500, false, undefined],
  ])('%i is delivered: %s, refused: %s', (status, isDelivered, isRefused) => {
    const delivery = toDeliveryAnswer(answer(status), SENT_VALUES);
    expect([delivery.isDelivered, delivery.isRefused]).toEqual([isDelivered, isRefused]);
  });
});
