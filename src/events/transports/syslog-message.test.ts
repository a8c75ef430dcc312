import { describe, expect, it } from '@jest/globals';
import { AUDIT_KINDS, type AuditKind } from '../../accounts/audit/kinds.js';
import { buildExample } from '../events-document.js';
import type { SinkEvent } from '../sink-event.js';
import { toSyslogFrame } from './syslog-message.js';

const EVENT = buildExample('sign-in.ok');

/** Reads one frame by the definitions in RFC 5424, section 6, and RFC 5425, section 4.3. */
function read(frame: Buffer) {
  const [, length = '', message = ''] = /^([1-9]\d*) ([\s\S]*)$/.exec(frame.toString('utf8')) ?? [];
  expect(Buffer.byteLength(message)).toBe(Number(length));
  const value = String.raw`(?:[^"\\\]]|\\["\\\]])*`;
  const name = String.raw`[!#-<>-\\^-~]{1,32}`;
  const element = String.raw`\[${name}(?: ${name}="${value}")*\]`;
  const header = String.raw`<(\d{1,3})>1 (\S+) ([!-~]{1,255}) (foyer) (-) ([!-~]{1,32}) ((?:${element})+) ([\s\S]*)`;
  const match = new RegExp(`^${header}$`).exec(message);
  expect(match).not.toBeNull();
  const [, priority, time, , , , id, data = '', text = ''] = match ?? [];
  return { message, priority, time, id, data, text };
}

describe('an event as a syslog message', () => {
  it('has priority, time, kind, structured data and the event in OCSF', () => {
    const { priority, time, id, data, text } = read(toSyslogFrame(EVENT));
    expect([priority, time, id]).toEqual(['86', '2026-11-28T09:30:00.000Z', 'sign-in.ok']);
    expect(data).toMatch(
      /^\[origin software="Foyer" swVersion="[^"]+"\]\[foyer@32473 id="48211" kind="sign-in.ok" actor="person"/,
    );
    expect(JSON.parse(text)).toMatchObject({ class_uid: 3002, metadata: { uid: '48211' } });
  });

  it('is well-formed for every kind', () => {
    for (const kind of Object.keys(AUDIT_KINDS) as AuditKind[]) expect(read(toSyslogFrame(buildExample(kind))).id).toBe(kind);
  });

  it('has a priority that follows the severity: refused, limited, reused', () => {
    const kinds = ['password.refused', 'password.limited', 'token.reused'] as const;
    expect(kinds.map((kind) => read(toSyslogFrame(buildExample(kind))).priority)).toEqual(['85', '84', '83']);
  });

  it('lets no value end its field, break the line or forge another message', () => {
    const hostileText = '"] \\[x@1 a="b"]\n<0>1 - - - - - - forged\r\u0000\u007f\u0085\u2028\u202e';
    const event: SinkEvent = {
      ...EVENT,
      actor: 'operator',
      operator: hostileText,
      account: { id: hostileText, username: hostileText, email: hostileText },
      address: hostileText,
      requestId: hostileText,
      detail: { client: hostileText, reason: hostileText },
    };
    const { message, data, text } = read(toSyslogFrame(event));
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(data).toContain(String.raw`operator="\"\] \\[x@1 a=\"b\"\] <0>1 - - - - - - forged`);
    expect(JSON.parse(text)).toMatchObject({ actor: { user: { name: hostileText } }, service: { uid: hostileText } });
  });

  it('has text in ASCII, which needs no byte order mark, and names in UTF-8', () => {
    const { data, text } = read(toSyslogFrame({ ...EVENT, account: { id: 'a', username: 'jürgen 😀' } }));
    expect(data).toContain('username="jürgen 😀"');
    expect(text).toMatch(/^[ -~]*$/);
    expect(JSON.parse(text)).toMatchObject({ user: { name: 'jürgen 😀' } });
  });

  it('has at most 8192 bytes, and states that members are missing', () => {
    const scopes = Array.from({ length: 2000 }, (_, number) => `scope-${number}`);
    for (const detail of [
      { client: 'portal', scopes },
      { client: 'portal', scopes: ['a'], more: scopes },
    ]) {
      const frame = toSyslogFrame({ ...buildExample('consent.granted'), detail });
      const { message, text } = read(frame);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(8192);
      expect(JSON.parse(text)).toMatchObject({ class_uid: 3003, metadata: { is_truncated: true, uid: '48211' } });
    }
  });

  it('states the size of an event that was too long in kilobytes, as OCSF defines it', () => {
    const frame = toSyslogFrame({ ...buildExample('consent.granted'), detail: { client: 'portal', more: 'x'.repeat(19_000) } });
    expect(JSON.parse(read(frame).text)).toMatchObject({ metadata: { untruncated_size: 20 } });
  });
});
