import { describe, expect, it } from '@jest/globals';
import { Query, withQuery } from './query.js';

describe('Query', () => {
  it('returns the first of several values and keeps all of them', () => {
    const query = Query.parse('a=1&b=x+y&a=2&c');
    expect([query.first('a'), query.first('b'), query.first('c'), query.first('d')]).toEqual(['1', 'x y', '', '']);
    expect(query.getAll('a')).toEqual(['1', '2']);
    expect([query.has('c'), query.has('d')]).toEqual([true, false]);
  });

  it('skips only pairs that cannot be decoded', () => {
    expect(Query.parse('a=%zz&b=1&c=%4&d=1;2&%=1').encode()).toBe('b=1');
  });

  it('sorts by name and escapes all characters except ASCII letters, digits and -_.~', () => {
    const query = new Query([
      ['z', "!'()*~-_."],
      ['a', 'ö &=+/'],
    ]);
    expect(query.encode()).toBe('a=%C3%B6+%26%3D%2B%2F&z=%21%27%28%29%2A~-_.');
  });

  it('encodes a lone surrogate as a replacement character', () => {
    expect(new Query([['a', '\ud800']]).encode()).toBe('a=%EF%BF%BD');
  });

  it('concatenates two queries, with the values of the first before those of the second', () => {
    expect(Query.parse('a=body').concat(Query.parse('a=url&b=url')).encode()).toBe('a=body&a=url&b=url');
  });
});

describe('withQuery', () => {
  it.each([
    ['https://a.example/x?b=2&a=1#f', 'https://a.example/x?a=1&b=2&c=3'],
    ['com.example.app:/cb', 'com.example.app:/cb?c=3'],
    ['/oauth2/sessions/logout', '/oauth2/sessions/logout?c=3'],
    ['http://a.example?c=1&c=2', 'http://a.example?c=3'],
  ])('%s becomes %s', (url, expected) => {
    expect(withQuery(url, { c: '3' })).toBe(expected);
  });
});
