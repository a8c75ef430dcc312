import { describe, expect, it } from '@jest/globals';
import { LONGEST_LINE_BYTES, fileLines, type FileLine } from './file-lines.js';

async function toLines(...chunks: (string | Uint8Array)[]): Promise<FileLine[]> {
  return collect(fileLines(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const texts = (lines: FileLine[]) => lines.map(({ number, text }) => [number, text]);

describe('the lines of a stream', () => {
  it('are found wherever its pieces end', async () => {
    const whole = Buffer.from('eins\nzwölf\n\n😀\r\nletzte');
    const expected = [
      [1, 'eins'],
      [2, 'zwölf'],
      [3, ''],
      [4, '😀\r'],
      [5, 'letzte'],
    ];
    for (const size of [1, 2, 3, 7, whole.length]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      );
      const lines = await toLines(...pieces);
      expect(texts(lines)).toEqual(expected);
      expect(lines.at(-1)?.bytesRead).toBe(whole.length);
    }
  });

  it('may lie in memory that the stream uses again', async () => {
    async function* reuseChunks() {
      const piece = Buffer.from('ab');
      yield piece;
      piece.write('cd');
      yield piece;
    }
    expect(texts(await collect(fileLines(reuseChunks())))).toEqual([[1, 'abcd']]);
  });

  it('begin after a byte order mark', async () => {
    expect(texts(await toLines('\uFEFF{}\n\uFEFF{}\n'))).toEqual([
      [1, '{}'],
      [2, '\uFEFF{}'],
    ]);
  });

  it('that cannot be read are returned with number and fault, and do not spoil the next line', async () => {
    const latin = Buffer.from('Jürgen\n', 'latin1');
    const long = 'x'.repeat(LONGEST_LINE_BYTES);
    expect(await toLines('a\n', latin, long, 'x\n', `${long}\nb`)).toMatchObject([
      { number: 1, text: 'a' },
      { number: 2, text: null, fault: 'not_utf8' },
      { number: 3, text: null, fault: 'too_long' },
      { number: 4, text: long },
      { number: 5, text: 'b' },
    ]);
  });

  it('do not exist in an empty stream', async () => {
    expect(await toLines()).toEqual([]);
    expect(texts(await toLines('\n'))).toEqual([[1, '']]);
  });
});
