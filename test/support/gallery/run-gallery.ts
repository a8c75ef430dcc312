/** Serves the gallery, or writes it as files; `npm run screens` runs it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { buildPages } from '../page-build.js';
import { Gallery } from './gallery.js';

export interface ServedGallery {
  origin: string;
  close(): Promise<void>;
}

/** @param port 0 chooses a free one */
export async function serveGallery(port: number): Promise<ServedGallery> {
  const built = await buildPages();
  const gallery = await Gallery.create(built);
  const server = createServer((request, response) => {
    const found = gallery.find(new URL(request.url ?? '/', 'http://localhost'));
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    const policy = found.policy === undefined ? {} : { 'content-security-policy': found.policy };
    response.writeHead(200, { 'content-type': found.type, 'cache-control': 'no-store', ...policy });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, 'localhost', resolve));
  const close = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
    built.remove();
  };
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close };
}

/** @returns the number of files */
export async function writeGallery(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const built = await buildPages();
  try {
    const gallery = await Gallery.create(built);
    for (const path of gallery.paths) {
      const file = join(folder, path === '/' ? 'index.html' : path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, gallery.find(new URL(path, 'http://localhost'))?.body ?? '');
    }
    return gallery.paths.length;
  } finally {
    built.remove();
  }
}
