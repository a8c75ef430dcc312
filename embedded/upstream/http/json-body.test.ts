import { describe, expect, it } from '@jest/globals';
import { decodeBody, toSeconds, UnreadableBody } from './json-body.js';

const SHAPE = {
  type: 'flow.Thing',
  fields: { name: 'string', isOn: 'bool', count: 'int', list: 'strings', map: 'object', any: 'any', time: 'duration' },
} as const;

const decode = (text: string): unknown => decodeBody(text, SHAPE);

describe('decodeBody', () => {
  it('reads known fields in any case, ignores others and null', () => {
    expect(decode('{"NAME":"a","count":3,"list":["x"],"any":[1],"isOn":null,"other":5}')).toEqual({
      name: 'a',
      count: 3,
      list: ['x'],
      any: [1],
    });
    expect(decode('null')).toEqual({});
  });

  it('reads the first value of several', () => {
    expect(decode('{"name":"a"} and more')).toEqual({ name: 'a' });
  });

  it.each([
    ['', 'EOF'],
    ['{"name":', 'unexpected EOF'],
    ['{x', "invalid character 'x' looking for beginning of object key string"],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['[]', 'json: cannot unmarshal array into Go value of type flow.Thing'],
    ['"x"', 'json: cannot unmarshal string into Go value of type flow.Thing'],
    ['{"name":5}', 'json: cannot unmarshal number into Go struct field Thing.name of type string'],
    ['{"isOn":"yes"}', 'json: cannot unmarshal string into Go struct field Thing.isOn of type bool'],
    ['{"count":1.5}', 'json: cannot unmarshal number 1.5 into Go struct field Thing.count of type int'],
    ['{"count":1e300}', 'json: cannot unmarshal number 1e+300 into Go struct field Thing.count of type int'],
    ['{"list":["a",1]}', 'json: cannot unmarshal number into Go struct field Thing.list of type string'],
    ['{"map":[]}', 'json: cannot unmarshal array into Go struct field Thing.map of type map[string]interface {}'],
    ['{"time":"soon"}', "time: invalid duration 'soon'"],
    ['['.repeat(10_000), 'exceeded max depth'],
  ])('refuses %.20j with a message like those of Hydra', (text, reason) => {
    expect(() => decode(text)).toThrow(new UnreadableBody(reason));
  });

  it('does not count brackets within strings as depth', () => {
    expect(decode(JSON.stringify({ name: '[{"\\'.repeat(500) }))).toEqual({ name: '[{"\\'.repeat(500) });
  });

  it('keeps fields named like members of Object.prototype', () => {
    const { map } = decode('{"map":{"__proto__":{"admin":true},"constructor":1}}') as { map: object };
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    expect(Object.keys(map)).toEqual(['__proto__', 'constructor']);
  });
});

describe('toSeconds', () => {
  it.each([
    ['90s', 90],
    ['1h30m', 5400],
    ['1.5h', 5400],
    ['500ms', 0],
    ['1', null],
    ['', null],
    ['-1h', null],
    // Go's durations end there.
    ['2562047h', 9_223_369_200],
    ['2562048h', null],
  ])('%s is %s', (text, seconds) => {
    expect(toSeconds(text)).toBe(seconds);
  });
});
