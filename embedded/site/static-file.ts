/** Serves static files of a site. The build copies only code, so code in `dist` reads the files from the source folder. */
import { existsSync, readFileSync } from 'node:fs';
import type { Reply } from './reply.js';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/**
 * @param paths of files below `embedded/`, all of one type, which are concatenated
 * @returns a handler that sends the content at the time of this call. Its answer has `no-cache`, so that a browser does not show an old
 * file after a restart
 */
export function createFileHandler(...paths: readonly [string, ...string[]]): () => Reply {
  const body = Buffer.concat(paths.map((path) => readFileSync(buildUrl(path))));
  const [firstPath] = paths;
  const type = TYPES[firstPath.slice(firstPath.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return () => ({ status: 200, headers: { 'content-type': type, 'cache-control': 'no-cache' }, body });
}

function buildUrl(path: string): URL {
  const url = ['../', '../../../embedded/']
    .map((folder) => new URL(folder + path, import.meta.url))
    .find((candidate) => existsSync(candidate));
  if (!url) throw new Error(`The file embedded/${path} is missing.`);
  return url;
}
