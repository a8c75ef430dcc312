/**
 * Writes `.br` and `.gz` next to every text file in `assets` of the built pages, once and with the best compression, so that the server
 * does not compress them. The argument may name another folder than `dist/web`, such as `dist/console`.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ROOT } from './lib/run.mjs';

const TEXT = ['.js', '.css', '.svg', '.json', '.txt'];

const folder = join(process.argv[2] ?? join(ROOT, 'dist', 'web'), 'assets');
const names = (await readdir(folder)).filter((name) => TEXT.includes(extname(name)));
await Promise.all(names.map((name) => compress(join(folder, name))));

async function compress(path) {
  const content = await readFile(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    // A smaller window than the default of 22 saves a hundred bytes of the largest script.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  };
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params })),
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION })),
  ]);
}
