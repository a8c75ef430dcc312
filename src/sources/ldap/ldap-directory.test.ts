import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readSources } from '../../../test/support/slapd.js';
import { TestClock } from '../../../test/support/test-clock.js';
import { SourceUnavailable } from '../source.errors.js';
import { LdapDirectory } from './ldap-directory.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that accepts connections and answers no request. It ends the connection instead, so that the test waits for no time limit. */
async function startSilentServer(onConnection: () => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.destroy());
    onConnection();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return `ldap://localhost:${(server.address() as AddressInfo).port}`;
}

describe('servers that accept connections, do not answer and take longer than the time for which they are skipped', () => {
  it.each<[string, (directory: LdapDirectory) => Promise<unknown>]>([
    ['a check of a password', (directory) => directory.bind('uid=maria,dc=example', 'kupfer linde 4821')],
    ['a search', (directory) => directory.search('dc=example', {})],
  ])('are each asked once by %s, which then fails', async (_, ask) => {
    const clock = new TestClock();
    let connections = 0;
    const onConnection = (): void => {
      connections += 1;
      clock.advanceSeconds(6);
      if (connections > 10) for (const server of servers) server.close();
    };
    const urls = [await startSilentServer(onConnection), await startSilentServer(onConnection)];
    const entry = { id: 'staff', type: 'ldap', urls, plaintext: true, base: 'dc=example', timeout_ms: 20_000 };
    const [settings] = readSources([{ ...entry, bind_dn: 'cn=foyer,dc=example', bind_password: 'a password' }]);
    if (!settings) throw new Error('no settings');
    const directory = new LdapDirectory(settings, clock);
    await expect(ask(directory)).rejects.toThrow(SourceUnavailable);
    expect(connections).toBe(2);
    await directory.close();
  });
});
