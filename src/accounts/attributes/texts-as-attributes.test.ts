import { describe, expect, it } from '@jest/globals';
import { convertTexts } from './texts-as-attributes.js';

const schema = {
  properties: {
    sites: { type: 'array', items: { type: 'string' } },
    floors: { type: 'array', items: { type: 'integer' } },
    level: { type: 'integer' },
    rate: { type: ['number', 'null'] },
    manager: { type: 'boolean' },
    room: { type: ['string', 'integer'] },
    shift: { enum: ['1', '2'] },
  },
};
const convertOne = (name: string, value: string | string[] | null) => convertTexts({ [name]: value }, schema)[name];

describe('texts of a directory or a form', () => {
  it.each([
    ['sites', 'Bonn', ['Bonn']],
    ['sites', ['Bonn', 'Kiel'], ['Bonn', 'Kiel']],
    ['floors', '4', [4]],
    ['floors', ['4', '-1'], [4, -1]],
    ['level', '42', 42],
    ['rate', '0.5', 0.5],
    ['manager', 'TRUE', true],
    ['manager', 'false', false],
    ['phone_number_verified', 'FALSE', false],
  ])('are converted to the type in the schema: %s from %j to %j', (name, value, expected) => {
    expect(convertOne(name, value)).toEqual(expected);
  });

  it.each([
    ['level', '4.5'],
    ['level', '4 2'],
    ['level', '9999999999999999999'],
    ['rate', 'Infinity'],
    ['manager', 'yes'],
    ['room', '12'],
    ['shift', '1'],
    ['unknown', '1'],
    ['given_name', '1'],
    ['level', ['1', '2']],
    ['level', null],
  ])('stay unchanged if the schema requires no other type, or if they cannot be converted: %s with %j', (name, value) => {
    expect(convertOne(name, value)).toEqual(value);
  });
});
