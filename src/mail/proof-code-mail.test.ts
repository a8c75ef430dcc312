import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { writeProofCodeMail } from './proof-code-mail.js';

const APP = { name: 'Foyer', loginAddress: 'https://login.example.org' };
const buildNotice = (values: Record<string, string>) => ({
  kind: 'proof-code',
  language: SHIPPED.get('en'),
  username: 'maria\u202e',
  values,
  queuedAt: new Date(0),
});

describe('the mail with a code', () => {
  it('[MAN-14] has the code in its body only, and no link', () => {
    const { subject, text, html } = writeProofCodeMail(buildNotice({ code: '048213' }), APP);
    expect(subject).not.toMatch(/\d/);
    expect(text).toContain('Code: 048213\nAccount: maria\n');
    expect(html).toContain('<bdi>048213</bdi>');
    expect(html).toContain('>048213 · The code is valid for 10 minutes');
    expect(html).not.toMatch(/<a |href/);
  });

  it('is not written without a code', () => {
    expect(() => writeProofCodeMail(buildNotice({}), APP)).toThrow('cannot be opened');
  });
});
