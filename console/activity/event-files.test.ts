import { describe, expect, it } from '@jest/globals';
import type { AuditPage } from '../api/calls.js';
import { EVENTS } from '../fixtures/events.js';
import { beginFile, endFile, readPages, toCsvCell, writeEntries } from './event-files.js';

const CSV = { format: 'csv', describe: (kind: string) => `words of ${kind}` } as const;

describe('a cell of a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' padded', '" padded"'],
  ])('is written for %j', (value, cell) => expect(toCsvCell(value)).toBe(cell));

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1'])('%j is not a formula any more', (value) => {
    expect(toCsvCell(value)).toMatch(/^"?'/);
    expect(toCsvCell(value)).toContain(value.replaceAll('"', '""'));
  });

  it.each([
    ["x;=cmd|' /c calc'!A1", "x;'=cmd|' /c calc'!A1"],
    ['{"reason":"x; +1;-1"}', '"{""reason"":""x;\' +1;\'-1""}"'],
    ['\uFF1D1', "'\uFF1D1"],
    ['a;b', 'a;b'],
  ])('%j has no formula for spreadsheets that separate cells by semicolons, or read full-width signs', (value, cell) => {
    expect(toCsvCell(value)).toBe(cell);
  });
});

describe('a file of events', () => {
  it('has a line for each event, and a byte order mark', () => {
    const text =
      beginFile('csv') +
      writeEntries(EVENTS.slice(0, 2), { ...CSV, isFirst: true }) +
      writeEntries(EVENTS.slice(2, 3), { ...CSV, isFirst: false });
    expect(text.startsWith('\uFEFFid,at,event,kind,actor,')).toBe(true);
    expect(text).toContain(`,words of ${EVENTS[0]?.kind},${EVENTS[0]?.kind},`);
    expect(text.split('\r\n')).toHaveLength(5);
  });

  it('is valid JSON for any number of pages', () => {
    const parts = [EVENTS.slice(0, 2), [], EVENTS.slice(2, 5)];
    let count = 0;
    const text = parts.map((entries) => {
      const part = writeEntries(entries, { format: 'json', isFirst: count === 0, describe: String });
      count += entries.length;
      return part;
    });
    expect(JSON.parse(beginFile('json') + text.join('') + endFile('json'))).toEqual(EVENTS.slice(0, 5));
    expect(JSON.parse(beginFile('json') + endFile('json'))).toEqual([]);
  });
});

describe('the pages of a download', () => {
  const pages: Readonly<Record<string, AuditPage>> = {
    first: { entries: [...EVENTS.slice(0, 1)], next_cursor: '2' },
    2: { entries: [...EVENTS.slice(1, 2)], next_cursor: '3' },
    3: { entries: [] },
  };
  const read = async (start?: string): Promise<(string | undefined)[]> => {
    const cursors: (string | undefined)[] = [];
    const fetchPage = (cursor: string | undefined) => {
      cursors.push(cursor);
      return Promise.resolve(pages[cursor ?? 'first']!);
    };
    for await (const page of readPages(fetchPage, start)) expect(page.entries.length).toBeLessThan(2);
    return cursors;
  };

  it('are read to the last one', async () => expect(await read()).toEqual([undefined, '2', '3']));

  it('continue where a download stopped', async () => expect(await read('3')).toEqual(['3']));
});
