import { describe, expect, it } from '@jest/globals';
import { applyPatch, UnusablePatch } from './json-patch.js';

const document = { name: 'a', list: ['x', 'y'], metadata: { 'a/b': 1, '~': 2 } };
const patch = (...operations: unknown[]): unknown => applyPatch(document, operations);

describe('applyPatch', () => {
  it('adds, replaces, removes and tests in a copy', () => {
    const copy = patch(
      { op: 'replace', path: '/name', value: 'b' },
      { op: 'add', path: '/list/-', value: 'z' },
      { op: 'add', path: '/list/0', value: 'w' },
      { op: 'remove', path: '/list/1' },
      { op: 'test', path: '/metadata/a~1b', value: 1 },
      { op: 'remove', path: '/metadata/~0' },
      { op: 'add', path: '/made/on/the/way', value: true },
    );
    expect(copy).toEqual({ name: 'b', list: ['w', 'y', 'z'], metadata: { 'a/b': 1 }, made: { on: { the: { way: true } } } });
    expect(document).toEqual({ name: 'a', list: ['x', 'y'], metadata: { 'a/b': 1, '~': 2 } });
  });

  it('compares objects without regard to the order of their members', () => {
    expect(() => patch({ op: 'test', path: '/metadata', value: { '~': 2, 'a/b': 1 } })).not.toThrow();
  });

  it.each([
    { op: 'test', path: '/name', value: 'b' },
    { op: 'test', path: '/nothing', value: null },
    { op: 'add', path: '/a'.repeat(201), value: 1 },
    { op: 'remove', path: '/nothing' },
    { op: 'add', path: '/list/9', value: 1 },
    { op: 'add', path: '/list/', value: 1 },
    { op: 'remove', path: '/list/length' },
    { op: 'replace', path: 'name', value: 1 },
    { op: 'copy', path: '/name', from: '/list' },
    { path: '/name' },
    null,
    'x',
  ])('refuses %.60j', (operation) => {
    expect(() => patch(operation)).toThrow(UnusablePatch);
  });

  it('refuses a patch that is not a list', () => {
    expect(() => applyPatch(document, { op: 'add' })).toThrow(UnusablePatch);
  });

  it('cannot change the prototype of all objects', () => {
    patch(
      { op: 'add', path: '/__proto__/polluted', value: true },
      { op: 'add', path: '/constructor/prototype/polluted', value: true },
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
