import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { AuthorizationInspector } from './inspect-authorization.js';

it('takes no redirect within Hydra for a page, even if the public address of Hydra has a path', async () => {
  // A proxy that redirects to https.
  const server = createServer(({ method, url = '' }, response) => {
    if (url.startsWith('/hydra/')) response.writeHead(307, { location: `https://auth.example${url}` });
    else response.writeHead(method === 'DELETE' ? 204 : 201, { 'content-type': 'application/json' });
    response.end(method === 'POST' ? '{}' : '');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const inspector = new AuthorizationInspector({ adminUrl: url, publicUrl: `${url}/hydra/`, timeoutMs: 60_000 });
    const { pages, trouble } = await inspector.inspect();
    expect(pages).toEqual({});
    expect(trouble).toContain('https://auth.example/hydra/oauth2/auth');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
