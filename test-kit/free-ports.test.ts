import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { findFreePorts } from './free-ports.js';

describe('a free port', () => {
  it('is free at every address of this machine', async () => {
    const [port = 0] = await findFreePorts(1);
    const server = createServer();
    await once(server.listen(port + 1, '::1'), 'listening');
    const nextPorts = await findFreePorts(1).finally(() => server.close());
    expect(nextPorts).not.toContain(port + 1);
  });
});
