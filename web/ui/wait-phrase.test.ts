import { describe, expect, it } from '@jest/globals';
import { getI18n } from '../fixtures/shipped-i18n.js';
import { toWaitPhrase } from './wait-phrase.js';

const render = (seconds: number | undefined) => getI18n('en').t(...toWaitPhrase(seconds));

describe('the phrase about a wait', () => {
  it.each([
    [undefined, 'Please try again later.'],
    [0, 'Please try again later.'],
    [1, 'Please try again in 1\u00a0second.'],
    [29.2, 'Please try again in 30\u00a0seconds.'],
    [90, 'Please try again in 90\u00a0seconds.'],
    [91, 'Please try again in 2\u00a0minutes.'],
    [900, 'Please try again in 15\u00a0minutes.'],
  ])('for %s seconds is "%s"', (seconds, expected) => expect(render(seconds)).toBe(expected));
});
