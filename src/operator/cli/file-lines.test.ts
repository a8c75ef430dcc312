import { describe, expect, it } from '@jest/globals';
import { MAX_LINE_BYTES, splitLines, type FileLine } from './file-lines.js';

async function toLines(...chunks: (string | Uint8Array)[]): Promise<FileLine[]> {
  return collect(splitLines(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const toNumberedTexts = (lines: FileLine[]) => lines.map(({ number, text }) => [number, text]);

describe('the lines of a stream', () => {
  it('are the same wherever its chunks end', async () => {
    const content = Buffer.from('eins\nzwölf\n\n😀\r\nletzte');
    const expected = [
      [1, 'eins'],
      [2, 'zwölf'],
      [3, ''],
      [4, '😀\r'],
      [5, 'letzte'],
    ];
    for (const size of [1, 2, 3, 7, content.length]) {
      const pieces = Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
        content.subarray(index * size, (index + 1) * size),
      );
      const lines = await toLines(...pieces);
      expect(toNumberedTexts(lines)).toEqual(expected);
      expect(lines.at(-1)?.bytesRead).toBe(content.length);
    }
  });

  it('stay intact if the stream reuses the memory of its chunks', async () => {
    async function* reuseChunks() {
      const piece = Buffer.from('ab');
      yield piece;
      piece.write('cd');
      yield piece;
    }
    expect(toNumberedTexts(await collect(splitLines(reuseChunks())))).toEqual([[1, 'abcd']]);
  });

  it('begin after a byte order mark at the start of the stream, and contain any other mark', async () => {
    expect(toNumberedTexts(await toLines('\uFEFF{}\n\uFEFF{}\n'))).toEqual([
      [1, '{}'],
      [2, '\uFEFF{}'],
    ]);
  });

  it('have a number and a fault if they cannot be read, and the next line is still read', async () => {
    const latinLine = Buffer.from('Jürgen\n', 'latin1');
    const longLine = 'x'.repeat(MAX_LINE_BYTES);
    expect(await toLines('a\n', latinLine, longLine, 'x\n', `${longLine}\nb`)).toMatchObject([
      { number: 1, text: 'a' },
      { number: 2, text: null, fault: 'not_utf8' },
      { number: 3, text: null, fault: 'too_long' },
      { number: 4, text: longLine },
      { number: 5, text: 'b' },
    ]);
  });

  it('are absent in an empty stream, and a single line break is one empty line', async () => {
    expect(await toLines()).toEqual([]);
    expect(toNumberedTexts(await toLines('\n'))).toEqual([[1, '']]);
  });
});
