import { describe, expect, it } from '@jest/globals';
import { checkConnections } from './database.check.js';

const limits = { server: 97, user: null, database: null, gateways: 2 };

describe('the doctor about connection limits', () => {
  it('reports nothing if the limits suffice for the gateways, a replacement and the doctor', () => {
    expect(checkConnections({ ...limits, server: 31 }, 10)).toEqual([]);
    expect(checkConnections({ server: 21, user: 21, database: 21, gateways: 0 }, 10)).toEqual([]);
  });

  it('names each limit that is too low, and the value to set', () => {
    expect(checkConnections({ ...limits, server: 30, user: 16 }, 10)).toEqual([
      {
        level: 'hint',
        what:
          '3 gateways with DATABASE_POOL_SIZE=10, one of them a replacement during an update, and the doctor need 31 connections, but max_connections ' +
          'without reserved connections is 30 and the connection limit of the user in DATABASE_URL is 16.',
        fix: 'Set each of these limits to at least 31, or DATABASE_POOL_SIZE to at most 5; add connections for gateways that are not running now and for other programs.',
      },
    ]);
  });

  it('proposes no pool that is smaller than the settings allow, and names a limit of 0', () => {
    const [finding] = checkConnections({ ...limits, user: 3 }, 10);
    expect(finding?.fix).toMatch(/^Set each of these limits to at least 31; add/);
    expect(checkConnections({ ...limits, database: 0 }, 10)[0]?.what).toContain('the connection limit of the database is 0');
  });
});
