/**
 * Encrypts values: AES-256-GCM with a key derived from the upstream's secret, bound to a purpose, in padded base64url as in Hydra. A
 * text for one purpose cannot be decrypted for another. The server does not store the texts; browsers, and programs that call the
 * admin API, send them back.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
/** There are many small flows, and the default buffers are about a hundred times larger than a flow. */
const PACKING = { level: 1, memLevel: 4, windowBits: 12 };

export class Seal {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, 'foyer', 'embedded-upstream', 32));
  }

  /**
   * @param minimumBytes small values are padded to about this size, because Hydra's values are larger. The length varies by up to two
   * bytes, so that base64 padding is sometimes present, as in Hydra.
   */
  seal(purpose: string, value: unknown, minimumBytes = 0): string {
    const packedValue = deflateRawSync(JSON.stringify(value), PACKING);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(packedValue.length);
    const filler = randomBytes(Math.max(0, minimumBytes - packedValue.length - LENGTH_BYTES) + randomInt(3));
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(Buffer.concat([length, packedValue, filler])), cipher.final()]);
    return toPaddedBase64Url(Buffer.concat([nonce, body, cipher.getAuthTag()]));
  }

  /** @returns the value, or undefined for a text that was not encrypted with this key for this purpose */
  open(purpose: string, text: string): unknown {
    const bytes = Buffer.from(text, 'base64url');
    // Buffer ignores characters that are not base64; only the exact text that was issued is accepted.
    if (bytes.length < NONCE_BYTES + TAG_BYTES + LENGTH_BYTES || toPaddedBase64Url(bytes) !== text) return undefined;
    const plaintext = this.#decrypt(purpose, bytes);
    if (!plaintext) return undefined;
    const packedValue = plaintext.subarray(LENGTH_BYTES, LENGTH_BYTES + plaintext.readUInt32BE());
    return JSON.parse(inflateRawSync(packedValue, PACKING).toString()) as unknown;
  }

  #decrypt(purpose: string, bytes: Buffer): Buffer | null {
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch {
      return null;
    }
  }
}

function toPaddedBase64Url(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
