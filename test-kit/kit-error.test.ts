import { describe, expect, it } from '@jest/globals';
import { KitError, SignInRefused } from './kit-error.js';

describe('the errors of the kit', () => {
  it('have the names of their classes, which are in the output of a test', () => {
    expect(String(new KitError('text'))).toBe('KitError: text');
    const refused = new SignInRefused('login', 'credentials', 'text');
    expect(refused).toBeInstanceOf(KitError);
    expect(String(refused)).toBe('SignInRefused: text');
  });
});
