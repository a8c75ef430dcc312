/** The vectors are hashes of one password that were made by libxcrypt, Python's hashlib (OpenSSL) and Node's own argon2. */
import { describe, expect, it } from '@jest/globals';
import { HashRefused, readForeignHash, verifyForeignHash } from './foreign-hash.js';
import { PasswordHasher } from './hasher.js';

const PASSWORD = 'Grüße, Welt 7';
const SALT = 'AAECAwQFBgcICQoLDA0ODw';
const BCRYPT = 'abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';

const VECTORS: readonly (readonly [string, string])[] = [
  ['bcrypt', `$2a$04$${BCRYPT}`],
  ['bcrypt', `$2b$04$${BCRYPT}`],
  ['bcrypt', `$2y$04$${BCRYPT}`],
  ['argon2id', `$argon2id$v=19$m=64,t=2,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
  ['argon2i', `$argon2i$v=19$m=64,t=2,p=2$${SALT}$R8swm9pdtce/y7jnYZfsRJ43T4e5eavimFpH3WtnJSU`],
  ['argon2d', `$argon2d$v=19$m=64,t=2,p=1$${SALT}$Pub4tqJe0rBJdYr++yCoQ0ovZY3SSaXUuO5czeaPMN4`],
  ['pbkdf2-sha1', `$pbkdf2-sha1$i=1000$${SALT}$PIxdSDcDA3FdA/oGzR70zFmnqow`],
  ['pbkdf2-sha1', `$pbkdf2$1100$${SALT}$uBd7xHIIDewrFa2FCmRyGsXG.cU`],
  ['pbkdf2-sha256', `$pbkdf2-sha256$i=1000,l=32$${SALT}$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU`],
  // Keycloak stores salt and key with padding.
  ['pbkdf2-sha256', `$pbkdf2-sha256$i=1000,l=32$${SALT}==$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU=`],
  ['pbkdf2-sha256', '$pbkdf2-sha256$1200$................$.NQK1M8yMfu9/dcxUGjfCR74jtAE0Z1hb8GkcQ5JveI'],
  [
    'pbkdf2-sha512',
    `$pbkdf2-sha512$i=1000$${SALT}$CE5sSO2JaUvxYjpwHAtOLI0uywRrr1ZCA/BQjrX7zk/+3p2zUGOdifvvIgykpRIyaO8gLnC6ndqYlFn8qDXDiA`,
  ],
  ['pbkdf2-sha1', 'pbkdf2_sha1$1000$seasalt2$PbJ+8/L7MJ1jIjcuWyu8P5FOJLw='],
  ['pbkdf2-sha256', 'pbkdf2_sha256$1000$seasalt2$U9N5QXuJJaXTX4sC/3V3ZkLb+l/AD1wekWhh09NxF98='],
  ['scrypt', `$scrypt$ln=10,r=8,p=2$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`],
];

const SCRYPT_KEY = '+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw';

const CHEAP_HASHING = { memoryKiB: 64, iterations: 1, queueLength: 100 };

describe('hashes of other products', () => {
  it.each(VECTORS)('match their password and no other password: %s %s', async (name, text) => {
    const hash = readForeignHash(text);
    expect([hash.name, hash.text]).toEqual([name, text]);
    expect(await verifyForeignHash(hash, Buffer.from(PASSWORD))).toBe(true);
    expect(await verifyForeignHash(hash, Buffer.from(`${PASSWORD} `))).toBe(false);
    expect(await verifyForeignHash(hash, Buffer.alloc(0))).toBe(false);
  });

  it.each(VECTORS)('are verified by the hasher and need a rehash: %s %s', async (_, text) => {
    const hasher = new PasswordHasher({ hashing: { ...CHEAP_HASHING, memoryKiB: 128 } });
    expect(await hasher.verify(text, PASSWORD)).toBe(true);
    expect(await hasher.verify(text, 'Gruesse, Welt 7')).toBe(false);
    expect(hasher.needsRehash(text)).toBe(true);
  });

  it('made with bcrypt cover the first 72 bytes of the password', async () => {
    const hash = readForeignHash('$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i');
    expect(await verifyForeignHash(hash, Buffer.from(`${'x'.repeat(72)}tail`))).toBe(true);
    expect(await verifyForeignHash(hash, Buffer.from('x'.repeat(72)))).toBe(true);
    expect(await verifyForeignHash(hash, Buffer.from('x'.repeat(71)))).toBe(false);
    expect(await verifyForeignHash(hash, Buffer.from('x\u0000x'))).toBe(false);
  });

  it('made with bcrypt match, whatever the unused bits of the salt are', async () => {
    const canonicalHash = readForeignHash(`$2b$04$${BCRYPT.replace('uuh', 'uvh')}`);
    expect(canonicalHash.text).toBe(`$2b$04$${BCRYPT}`);
    expect(await verifyForeignHash(canonicalHash, Buffer.from(PASSWORD))).toBe(true);
  });

  it('made with bcrypt or pbkdf2 are compared with the password as typed and with its NFC form', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING });
    const [, text = ''] = VECTORS[1] ?? [];
    expect(await hasher.verify(text, PASSWORD.normalize('NFD'))).toBe(true);
    expect(await hasher.verify(text, PASSWORD.normalize('NFC'))).toBe(true);
    const hashOfNfd = 'pbkdf2_sha256$1000$seasalt2$LTZvAUMrtOjL1pR2YL7qcYJKH0hXyPzjVe6SuKZkZDw=';
    expect(await hasher.verify(hashOfNfd, PASSWORD.normalize('NFD'))).toBe(true);
    expect(await hasher.verify(hashOfNfd, PASSWORD.normalize('NFC'))).toBe(false);
  });

  it.each([
    ['', false],
    ['secret', false],
    ['5f4dcc3b5aa765d61d8327deb882cf99', false],
    [`$2x$04$${BCRYPT}`, false],
    [`$2b$04$${BCRYPT.slice(1)}`, false],
    [`$2b$4$${BCRYPT}`, false],
    [`$2b$04$${BCRYPT}\n`, false],
    ['$6$abcdefgh$XlZ', false],
    [`$argon2id$v=19$m=64,t=2,p=1$${SALT}`, false],
    [`$argon2id$v=18$m=64,t=2,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`, false],
    ['pbkdf2_md5$1000$seasalt2$PbJ+8/L7MJ1jIjcuWyu8P5FOJLw=', false],
    [`$scrypt$ln=10,r=8$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`, false],
    [`$2b$04$${BCRYPT}`.padEnd(600, 'x'), false],
    ['$argon2id$v=19$m=64,t=2,p=1$AAECAwQFBgcICQoLDA0OD$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8', true],
    [`$argon2id$v=19$m=64,t=2,p=1$${SALT}$AAAA`, true],
    [`$pbkdf2-sha256$i=1000$${SALT}$AAAA`, true],
    [`$scrypt$ln=10,r=8,p=2$${SALT}$AAAA`, true],
    // OpenSSL refuses N = 1, N not below 2^(128 r / 8) (RFC 7914, section 2), and more memory than its limit.
    [`$scrypt$ln=0,r=8,p=1$${SALT}$${SCRYPT_KEY}`, true],
    [`$scrypt$ln=16,r=1,p=1$${SALT}$${SCRYPT_KEY}`, true],
    [`$scrypt$ln=17,r=1,p=1$${SALT}$${SCRYPT_KEY}`, true],
    [`$scrypt$ln=1,r=1048576,p=4$${SALT}$${SCRYPT_KEY}`, true],
    [`$pbkdf2-sha256$i=0$${SALT}$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU`, true],
  ])('are refused if the format is unknown or a value is not accepted, and match no password: %s', async (text, isKnown) => {
    expect(getRefusal(text).isKnown).toBe(isKnown);
    expect(await new PasswordHasher({ hashing: CHEAP_HASHING }).verify(text, PASSWORD)).toBe(false);
  });

  it('match no password if they cannot be verified, and the log states account and reason without the hash', async () => {
    const lines: unknown[][] = [];
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING }, undefined, {
      warn: (...line: unknown[]) => void lines.push(line),
    });
    expect(await hasher.verify(`$scrypt$ln=0,r=8,p=1$${SALT}$${SCRYPT_KEY}`, PASSWORD, { accountId: 'account-1' })).toBe(false);
    expect(lines).toEqual([
      [
        { account: 'account-1', reason: 'has ln=0 with r=8; scrypt is defined for ln of at least 1 and below 16 times r.' },
        'a stored password hash cannot be verified; the owner of the account needs a new password',
      ],
    ]);
  });

  it.each([
    [`$2b$03$${BCRYPT}`],
    [`$2b$15$${BCRYPT}`],
    [`$2b$31$${BCRYPT}`],
    [`$2b$99$${BCRYPT}`],
    [`$argon2id$v=19$m=4194304,t=1,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
    [`$argon2id$v=19$m=65536,t=17,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
    [`$argon2id$v=19$m=8,t=4294967295,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
    [`$argon2id$v=19$m=65536,t=1,p=17$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
    [`$pbkdf2-sha256$i=1000000000$${SALT}$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU`],
    ['pbkdf2_sha1$1500000$seasalt2$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU='],
    [`$scrypt$ln=30,r=8,p=1$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`],
    [`$scrypt$ln=15,r=99999999,p=1$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`],
    [`$scrypt$ln=17,r=8,p=16$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`],
  ])('are refused if their cost is too high or too low: %s', async (text) => {
    expect(getRefusal(text)).toMatchObject({ isKnown: true, message: expect.stringContaining('accepted.') as unknown });
    // The hasher verifies argon2 hashes without these limits.
    if (!text.startsWith('$argon2'))
      expect(await new PasswordHasher({ hashing: CHEAP_HASHING }).verify(text, PASSWORD)).toBe(false);
  });

  it('made with pbkdf2 are refused with a message that states how many iterations are accepted for the length of the key', () => {
    const { message } = getRefusal('pbkdf2_sha1$1500000$seasalt2$yqrIv/ADETjO+wHEvCq72FWK3cELUPmgt0qvGcQfcIU=');
    expect(message).toBe('has 1500000 iterations of pbkdf2 for a key of 32 bytes; 1 to 1000000 are accepted.');
  });

  it.each([
    [`$2b$14$${BCRYPT}`],
    [`$argon2id$v=19$m=262144,t=3,p=1$${SALT}$tuDr3dGk74d9C+PQmEZiL4albiVhUtiVcWSXDWVlxC8`],
    ['pbkdf2_sha256$1200000$seasalt2$U9N5QXuJJaXTX4sC/3V3ZkLb+l/AD1wekWhh09NxF98='],
    [`$scrypt$ln=17,r=8,p=1$${SALT}$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw`],
  ])('are accepted with the costs that are common today: %s', (text) => {
    expect(readForeignHash(text).text).toBe(text);
  });
});

function getRefusal(text: string): HashRefused {
  try {
    readForeignHash(text);
  } catch (error) {
    if (error instanceof HashRefused) return error;
    throw error;
  }
  throw new Error('The hash was accepted.');
}
