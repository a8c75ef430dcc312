/** Measures the size of the login page: the HTML and every file that it names, compressed and uncompressed. */
import { BrowserClient, getAgent, type ReceivedResponse } from './browser-client.js';
import { brotliDecompressSync } from 'node:zlib';

export interface Part {
  kind: string;
  wireBytes: number;
  rawBytes: number;
}

const CONNECTIONS = 6;

export async function weighPage(address: string): Promise<Part[]> {
  const browser = new BrowserClient(getAgent(CONNECTIONS), '203.0.113.1');
  const url = new URL(address);
  const page = await browser.get(url);
  const html = unpack(page).toString('utf8');
  // A data: address is part of the HTML.
  const addresses = html.matchAll(/<(?:link|script)[^>]*? (?:href|src)="(?!data:)([^"]+)"/g);
  const named = new Set(Array.from(addresses, ([, path = '']) => path));
  const parts = [toPart('HTML', page)];
  for (const path of named) {
    const file = await browser.get(new URL(path, url));
    if (file.status !== 200) throw new Error(`${path} answers ${file.status}.`);
    parts.push(toPart(toKind(path), file));
  }
  return parts;
}

function toKind(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.endsWith('.css')) return 'CSS';
  if (name.endsWith('.svg')) return 'icon';
  return /^(de|en)-/.test(name) ? 'locale' : 'JS';
}

function toPart(kind: string, received: ReceivedResponse): Part {
  return { kind, wireBytes: received.body.length, rawBytes: unpack(received).length };
}

function unpack({ body, encoding }: ReceivedResponse): Buffer {
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}
