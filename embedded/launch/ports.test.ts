import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/load-config.js';
import { findUnavailablePorts, listWantedPorts, type WantedPort } from './ports.js';
import { PortsUnavailable, describeFailure } from './start-failure.js';

describe('the ports of a start', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const occupy = (host: string): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer().listen(0, host, () => resolve((server.address() as AddressInfo).port));
      servers.push(server);
    });
  const findFreePort = async (): Promise<number> => {
    const port = await occupy('127.0.0.1');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    return port;
  };
  const wantPort = (port: number, setting = 'PORT'): WantedPort => ({ port, host: 'localhost', setting, purpose: 'pages' });

  it('lists every taken port with the setting that changes it, and a command to copy', async () => {
    const [firstPort, secondPort] = [await occupy('127.0.0.1'), await occupy('0.0.0.0')];
    const unavailablePorts = await findUnavailablePorts([
      wantPort(firstPort),
      wantPort(0, 'FREE'),
      wantPort(secondPort, 'EMBEDDED_DEMO_APP_PORT'),
    ]);
    expect(unavailablePorts.map(({ port, setting }) => [port, setting])).toEqual([
      [firstPort, 'PORT'],
      [secondPort, 'EMBEDDED_DEMO_APP_PORT'],
    ]);
    const text = describeFailure(new PortsUnavailable(unavailablePorts), [], false);
    expect(text).toContain(`Port ${firstPort} is already in use (pages): set PORT`);
    expect(text).toContain(`Port ${secondPort} is already in use (pages): set EMBEDDED_DEMO_APP_PORT`);
    expect(text).toContain('A second instance also needs its own DATA_DIR');
    const [, freePort, otherFreePort] = /PORT=(\d+) EMBEDDED_DEMO_APP_PORT=(\d+) npm start/.exec(text) ?? [];
    expect(new Set([String(firstPort), String(secondPort), freePort, otherFreePort]).size).toBe(4);
  });

  it('detects a program that listens only on the IPv6 address of localhost', async () => {
    const port = await occupy('::1');
    expect(await findUnavailablePorts([wantPort(port)])).toHaveLength(1);
  });

  it('distinguishes an address that this machine does not have from a taken port', async () => {
    const foreignPort = { ...wantPort(3000), host: '192.0.2.1', hostSetting: 'HOST' };
    const text = describeFailure(
      new PortsUnavailable(await findUnavailablePorts([{ ...foreignPort, port: await findFreePort() }])),
      [],
      false,
    );
    expect(text).toContain('192.0.2.1 is not an address of this machine (pages): set HOST');
    expect(text).not.toContain('npm start');
  });

  it('says that a port is reserved', () => {
    const text = new PortsUnavailable([{ ...wantPort(80), obstacle: 'forbidden', freePort: 1024 }]).message;
    expect(text).toContain('Port 80 is reserved by the system (pages): set PORT to 1024 or above');
    expect(text).not.toContain('another terminal');
  });

  it('does not report a free port', async () => {
    expect(await findUnavailablePorts([wantPort(await findFreePort())])).toEqual([]);
  });

  it('lists the ports of the embedded parts only when these parts start', () => {
    const listSettings = (env: Record<string, string>): string[] =>
      listWantedPorts(loadConfig(env).config).map(({ setting }) => setting);
    const ownSettings = ['PORT', 'OPERATOR_PORT'];
    expect(listSettings({ HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' })).toEqual(
      ownSettings,
    );
    expect(listSettings({})).toEqual([
      ...ownSettings,
      'EMBEDDED_DEMO_APP_PORT',
      'EMBEDDED_REGISTRATION_PORT',
      'EMBEDDED_PEOPLE_PORT',
      'EMBEDDED_UPSTREAM_PUBLIC_PORT',
      'EMBEDDED_UPSTREAM_ADMIN_PORT',
      'EMBEDDED_MAILBOX_PORT',
      'EMBEDDED_SMTP_PORT',
      'EMBEDDED_PROVIDERS_PORT',
    ]);
    const sources = JSON.stringify([
      { id: 'x', type: 'http', url: 'https://people.example', jwks_url: 'https://people.example/j' },
    ]);
    expect(listSettings({ USER_SOURCES: sources })).not.toContain('EMBEDDED_PEOPLE_PORT');
    expect(listSettings({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' })).not.toContain('EMBEDDED_PROVIDERS_PORT');
  });

  it('names the setting also when the port was taken after the check', () => {
    const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', port: 5555 });
    const wrappedError = Object.assign(new Error('cannot be used', { cause: error }), { port: 5555 });
    for (const failure of [error, wrappedError]) {
      const text = describeFailure(failure, [wantPort(3000), wantPort(5555, 'EMBEDDED_DEMO_APP_PORT')], false);
      expect(text).toContain('Port 5555 is already in use (pages): set EMBEDDED_DEMO_APP_PORT');
    }
  });
});
