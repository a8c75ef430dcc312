import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { Slapd, whyNoSlapd } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';
import { MARIA, sourceContract } from './contract.js';

const skipReason = whyNoSlapd();

if (skipReason !== null) {
  console.warn(`The sources are not tested on OpenLDAP: ${skipReason}`);
  describe.skip('a user source: OpenLDAP', () => it('is skipped', () => expect(skipReason).toBeNull()));
} else {
  const variants: [string, (slapd: Slapd) => Record<string, unknown>][] = [
    ['OpenLDAP, TLS', () => ({})],
    ['OpenLDAP, StartTLS', (slapd) => ({ urls: [slapd.plainUrl], start_tls: true })],
    ['OpenLDAP, plain on this machine', (slapd) => ({ urls: [slapd.plainUrl], plaintext: true, ca: undefined })],
  ];
  for (const [name, buildSettings] of variants) {
    sourceContract(name, async () => {
      const slapd = await Slapd.start();
      slapd.addPerson(MARIA);
      for (const uid of ['double1', 'double2']) slapd.addPerson({ uid, password: MARIA.password, mail: 'double@example.com' });
      const settings = slapd.settings({ login: ['uid', 'mail'], ...buildSettings(slapd) });
      const source = new LdapSource(settings, { clock: new TestClock(), log: pino({ level: 'silent' }) });
      let isStopped = false;
      const stop = async (): Promise<void> => {
        if (!isStopped) await slapd.stop();
        isStopped = true;
      };
      const close = async (): Promise<void> => {
        await source.close();
        await stop();
      };
      return { source, stop, close };
    });
  }
}
