import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../src/contract/paths.js';
import { Browser } from './browser.js';
import type { Person } from './people.js';
import { SignIn } from './sign-in.js';

const CALLBACK = 'http://localhost:1/callback';
const STATE = { page: 'login', login: { error: null, missing: [], xsrf_token: 'x', login_challenge: 'c', ticket: 't' } };
const PAGE = `<div id="root" data-state="${JSON.stringify(STATE).replaceAll('"', '&quot;')}"></div>`;

describe('a sign-in of the kit', () => {
  let server: Server;
  let url: string;
  /** After how many answers Foyer redirects to the app. */
  let pages: number;
  let answers: number;

  beforeAll(async () => {
    server = createServer(({ url: path = '', method }, response) => {
      if (method === 'POST') answers += 1;
      else if (!path.startsWith('/oauth2/auth')) return response.end(PAGE);
      response.writeHead(303, { location: answers === pages ? CALLBACK : PATHS.login }).end();
    });
    await once(server.listen(0, 'localhost'), 'listening');
    url = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const walk = (count: number): Promise<string> => {
    [pages, answers] = [count, 0];
    const person = { username: 'maria', password: 'a password' } as Person;
    const start = `${url}/oauth2/auth?redirect_uri=${encodeURIComponent(CALLBACK)}`;
    return new SignIn(new Browser(), person, {}).walk(start);
  };

  it('may end with the answer of the last page that is allowed, and not later', async () => {
    expect(await walk(12)).toBe(CALLBACK);
    await expect(walk(13)).rejects.toThrow('The sign-in did not end after 12 pages.');
    expect(answers).toBe(12);
  });
});
