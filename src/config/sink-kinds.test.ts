import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { buildEventSinksKind } from './sink-kinds.js';
import { wantsKind, type SinkSettings } from './sink-settings.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const HOOK = {
  name: 'crm',
  kind: 'webhook',
  address: 'https://crm.example.com/hooks?tenant=1',
  secrets: [SECRET],
  events: ['*'],
};

const kind = buildEventSinksKind(() => {
  throw new Error('no file');
});
const read = (sinks: unknown): readonly SinkSettings[] => {
  const reading = kind.read(JSON.stringify(sinks));
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.value;
};
const findFault = (change: object): string => {
  const reading = kind.read(JSON.stringify([{ ...HOOK, ...change }]));
  return 'fault' in reading ? reading.fault : '';
};

describe('EVENT_SINKS', () => {
  it('contains sinks of three kinds', () => {
    const sinks = read([
      { ...HOOK, secrets: [SECRET, SECRET], person: ['email'] },
      {
        name: 'otel',
        kind: 'otlp',
        address: 'http://localhost:4318',
        secrets: ['Bearer abc'],
        events: ['sign-in.*', 'operator.granted'],
      },
      { name: 'siem', kind: 'syslog', address: 'syslog+tls://log.example.com:6514', events: ['*'] },
    ]);
    expect(sinks).toEqual([
      { ...HOOK, secrets: [SECRET, SECRET], person: ['email'] },
      {
        name: 'otel',
        kind: 'otlp',
        address: 'http://localhost:4318',
        secrets: ['Bearer abc'],
        events: ['sign-in.*', 'operator.granted'],
        person: [],
      },
      { name: 'siem', kind: 'syslog', address: 'syslog+tls://log.example.com:6514', secrets: [], events: ['*'], person: [] },
    ]);
  });

  it.each([
    [{ name: 'CRM' }, '/0/name is not a name'],
    [{ name: 'x'.repeat(41) }, '/0/name is not a name'],
    [{ kind: 'kafka' }, '/0/kind is not one of webhook, otlp, syslog'],
    [{ address: 'http://crm.example.com/' }, '/0/address is not an address that begins with https://'],
    [{ address: 'https://user:pw@crm.example.com/' }, '/0/address is not'],
    [{ address: 'file:///etc/passwd' }, '/0/address is not'],
    [{ kind: 'syslog', secrets: [], address: 'https://log.example.com' }, '/0/address is not an address like syslog+tls://'],
    [{ secrets: [] }, '/0/secrets has no secret'],
    [{ kind: 'syslog', address: 'syslog+tls://log.example.com:6514' }, '/0/secrets must be empty: syslog has no secrets'],
    [{ secrets: [SECRET, SECRET, SECRET] }, '/0/secrets has more than 2 entries'],
    [{ secrets: ['whsec_c2hvcnQ='] }, '/0/secrets/0 is not whsec_'],
    [{ secrets: [`whsec_${randomBytes(65).toString('base64')}`] }, '/0/secrets/0 is not whsec_'],
    [{ secrets: [SECRET.replace('whsec_', '')] }, '/0/secrets/0 is not whsec_'],
    [{ kind: 'otlp', secrets: ['a\r\nb: c'] }, '/0/secrets/0 is not the value of a header'],
    [{ events: [] }, '/0/events names no kind of event'],
    [{ events: ['sign-in*'] }, '/0/events/0 is not *'],
    [{ person: ['phone'] }, '/0/person/0 is not one of username, email'],
    [{ ca: 'x' }, '/0/ca is not a certificate in PEM form'],
    [{ ca_file: '/none.pem' }, '/0/ca_file names a file that cannot be read'],
    [{ secret: SECRET }, '/0/secret is not one of'],
  ])('names the path of a fault, and never the value: %j', (change, fault) => {
    const foundFault = findFault(change);
    expect(foundFault).toContain(fault);
    expect(foundFault).not.toContain(SECRET);
  });

  it('must not contain a name twice', () => {
    const reading = kind.read(JSON.stringify([HOOK, HOOK]));
    expect(reading).toEqual({ fault: 'has a fault: the document has the name crm twice' });
  });

  it('matches kinds by name, by group and by *', () => {
    const wants = (events: string[], eventKind: string) => wantsKind({ events }, eventKind);
    expect([wants(['*'], 'sign-in.ok'), wants(['sign-in.*'], 'sign-in.ok'), wants(['sign-in.ok'], 'sign-in.ok')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([wants(['sign-in.*'], 'sign-in-x.ok'), wants(['sign-in.refused'], 'sign-in.ok'), wants([], 'sign-in.ok')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
