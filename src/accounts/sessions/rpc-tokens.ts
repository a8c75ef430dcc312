/**
 * Tokens of RPC calls: session, family, step and a MAC over these. Tokens are not stored: the next token can be computed
 * any number of times (RPC-8).
 */
import { randomBytes } from 'node:crypto';
import type { Keys } from '../../config/keys.js';

export interface RpcToken {
  sessionId: string;
  /** Base64url. */
  family: string;
  /** Starts at 0. */
  step: number;
}

const ID_BYTES = 16;
const STEP_BYTES = 4;
const BODY_BYTES = 2 * ID_BYTES + STEP_BYTES;
const MAC_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{91}$/;
const LAST_STEP = 2 ** 31 - 1;

export class RpcTokens {
  constructor(private readonly keys: Keys) {}

  /** @returns the first token of a new family */
  createFirst(sessionId: string): string {
    return this.write({ sessionId, family: randomBytes(ID_BYTES).toString('base64url'), step: 0 });
  }

  write({ sessionId, family, step }: RpcToken): string {
    const body = Buffer.alloc(BODY_BYTES);
    body.write(sessionId.replaceAll('-', ''), 0, 'hex');
    body.write(family, ID_BYTES, 'base64url');
    body.writeUInt32BE(step, 2 * ID_BYTES);
    const mac = Buffer.from(this.keys.mac('rpc-token', body.toString('base64url')), 'base64url');
    return Buffer.concat([body, mac]).toString('base64url');
  }

  /** @returns null if the token is not authentic or not in its canonical spelling, or if no step can follow its step */
  read(token: string): RpcToken | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return null;
    const body = bytes.subarray(0, BODY_BYTES);
    const mac = bytes.subarray(BODY_BYTES).toString('base64url');
    if (!this.keys.verifyMac('rpc-token', body.toString('base64url'), mac)) return null;
    const step = body.readUInt32BE(2 * ID_BYTES);
    if (step >= LAST_STEP) return null;
    return {
      sessionId: toUuid(body.subarray(0, ID_BYTES)),
      family: body.subarray(ID_BYTES, 2 * ID_BYTES).toString('base64url'),
      step,
    };
  }
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
