import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyTemplate } from './embedded-template.js';

const ENTRIES = [
  { path: 'PG_VERSION', size: 3 },
  { path: 'base', size: null },
  { path: 'base/1', size: null },
  { path: 'base/1/empty', size: 0 },
  { path: 'base/1/table', size: 5 },
];
const TEMPLATE = `${JSON.stringify(ENTRIES)}\n18\nrows\n`;

describe('the template of the embedded database', () => {
  let home: string;
  let directory: string;
  let template: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'foyer-template-'));
    [directory, template] = [join(home, 'database'), join(home, 'template.gz')];
    await mkdir(directory, { mode: 0o700 });
    await writeFile(template, gzipSync(TEMPLATE));
  });

  afterEach(() => rm(home, { recursive: true }));

  const listFiles = async (): Promise<string[]> => (await readdir(home, { recursive: true })).sort();

  it('fills an empty directory, for this user only', async () => {
    await copyTemplate(directory, template);
    expect(await readFile(join(directory, 'PG_VERSION'), 'utf8')).toBe('18\n');
    expect(await readFile(join(directory, 'base/1/table'), 'utf8')).toBe('rows\n');
    expect(await readFile(join(directory, 'base/1/empty'), 'utf8')).toBe('');
    for (const path of ['', 'base', 'base/1']) expect((await stat(join(directory, path))).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'base/1/table'))).mode & 0o777).toBe(0o600);
  });

  it('replaces the unfinished copy of a process that was killed', async () => {
    await mkdir(`${directory}.unfinished`);
    await writeFile(join(`${directory}.unfinished`, 'half'), '');
    await copyTemplate(directory, template);
    expect(await readdir(directory)).toEqual(['PG_VERSION', 'base']);
    expect(await readdir(home)).toEqual(['database', 'template.gz']);
  });

  it('does not change a directory that contains a file', async () => {
    await writeFile(join(directory, 'something'), 'else');
    await copyTemplate(directory, template);
    expect(await listFiles()).toEqual(['database', 'database/something', 'template.gz']);
  });

  it.each([
    ['that is cut short', gzipSync(TEMPLATE).subarray(0, 40)],
    ['whose contents are cut short', gzipSync(TEMPLATE.slice(0, -3))],
    ['that is something else', Buffer.from('not compressed')],
  ])('leaves the directory empty for PGlite with a template %s, or without one', async (_, content) => {
    await writeFile(template, content);
    await copyTemplate(directory, template);
    expect(await listFiles()).toEqual(['database', 'template.gz']);
    await rm(template);
    await copyTemplate(directory, template);
    expect(await listFiles()).toEqual(['database']);
  });
});
