/**
 * A security key in software, for tests. It answers registrations and assertions with several algorithms, and with any flags, counter and
 * client data, so that tests can create invalid answers. Its keys and signatures are real.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Algorithm {
  /** Null if the signature algorithm includes the hash. */
  hash: string | null;
  generatePair: () => { privateKey: KeyObject; publicKey: KeyObject };
  /** COSE key type (RFC 9053, section 7; for RSA RFC 8230, section 4). */
  type: number;
  /** COSE curve; null for RSA. */
  curve: number | null;
}

/** The supported algorithms by COSE identifier. */
const ALGORITHMS = {
  [-7]: { hash: 'sha256', generatePair: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), type: 2, curve: 1 },
  [-35]: { hash: 'sha384', generatePair: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }), type: 2, curve: 2 },
  [-36]: { hash: 'sha512', generatePair: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }), type: 2, curve: 3 },
  [-8]: { hash: null, generatePair: () => generateKeyPairSync('ed25519'), type: 1, curve: 6 },
  [-257]: { hash: 'sha256', generatePair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }), type: 3, curve: null },
} as const satisfies Record<number, Algorithm>;

export type KeyAlgorithm = keyof typeof ALGORITHMS;

const FLAGS = { up: 0x01, uv: 0x04, be: 0x08, bs: 0x10, at: 0x40 } as const;

type Flag = Exclude<keyof typeof FLAGS, 'at'>;

export interface SyntheticKeyOptions {
  origin: string;
  rpId: string;
  algorithm?: KeyAlgorithm;
  /** Length of the credential id in bytes. */
  idLength?: number;
  counter?: number;
  /** Model of the authenticator, 16 bytes; default: zeros. */
  aaguid?: Uint8Array;
}

/** How an answer differs from a valid answer. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: unknown;
  topOrigin?: string;
  /** The flags that are set. Default: `up`. */
  flags?: readonly Flag[];
  counter?: number;
  /** The credential id in the answer. Default: the id of this key. */
  id?: string;
}

export interface RegistrationDeviation extends Deviation {
  format?: string;
  /** Algorithm in the COSE key. */
  coseAlgorithm?: number;
  /** Appended to the attestation object. */
  extraBytes?: Uint8Array;
}

export interface AssertionDeviation extends Deviation {
  userHandle?: string | null;
  /** Flips a bit of the signature. */
  hasWrongSignature?: boolean;
  /** The key that signs instead of this key. */
  signer?: SyntheticKey;
}

export interface RegistrationAnswer {
  id: string;
  rawId: string;
  type: string;
  response: { attestationObject: string; clientDataJSON: string; transports: string[] };
}

export interface AssertionAnswer {
  id: string;
  rawId: string;
  type: string;
  response: { authenticatorData: string; clientDataJSON: string; signature: string; userHandle?: string | null };
}

export class SyntheticKey {
  readonly id: string;
  counter: number;
  readonly #algorithm: KeyAlgorithm;
  readonly #privateKey: KeyObject;
  readonly #publicKey: JsonWebKey;
  readonly #aaguid: Uint8Array;
  readonly #origin: string;
  readonly #rpId: string;

  constructor({ origin, rpId, algorithm = -7, idLength = 32, counter = 0, aaguid = new Uint8Array(16) }: SyntheticKeyOptions) {
    const { privateKey, publicKey } = ALGORITHMS[algorithm].generatePair();
    this.id = randomBytes(idLength).toString('base64url');
    this.counter = counter;
    this.#algorithm = algorithm;
    this.#privateKey = privateKey;
    this.#publicKey = publicKey.export({ format: 'jwk' });
    this.#aaguid = aaguid;
    this.#origin = origin;
    this.#rpId = rpId;
  }

  /** Answers `navigator.credentials.create`. */
  register(challenge: string, deviation: RegistrationDeviation = {}): RegistrationAnswer {
    const { format = 'packed', extraBytes = new Uint8Array(), id = this.id } = deviation;
    const clientData = this.#clientData('webauthn.create', challenge, deviation);
    const credentialId = toBytes(id);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const attestedData = Buffer.concat([this.#aaguid, length, credentialId, this.#coseKey(deviation.coseAlgorithm)]);
    const authData = Buffer.concat([this.#authenticatorData(deviation, FLAGS.at), attestedData]);
    const statement = new Map<string, unknown>();
    if (format !== 'none') {
      statement.set('alg', this.#algorithm);
      statement.set('sig', new Uint8Array(this.#sign(authData, clientData)));
    }
    const entries: [string, unknown][] = [
      ['fmt', format],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ];
    const attestation = Buffer.concat([isoCBOR.encode(new Map(entries) as never), extraBytes]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        attestationObject: attestation.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        transports: ['usb', 'nfc'],
      },
    };
  }

  /** Answers `navigator.credentials.get`. The counter increases by one, unless the test sets it or it is 0. */
  assert(challenge: string, deviation: AssertionDeviation = {}): AssertionAnswer {
    if (deviation.counter === undefined && this.counter > 0) this.counter++;
    const { id = this.id, signer = this, hasWrongSignature = false, userHandle } = deviation;
    const clientData = this.#clientData('webauthn.get', challenge, deviation);
    const authData = this.#authenticatorData(deviation, 0);
    const signature = signer.#sign(authData, clientData);
    if (hasWrongSignature) {
      const lastIndex = signature.length - 1;
      signature[lastIndex] = (signature[lastIndex] ?? 0) ^ 1;
    }
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        authenticatorData: authData.toString('base64url'),
        clientDataJSON: clientData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    };
  }

  #clientData(kind: string, challenge: string, deviation: Deviation): Buffer {
    const { type = kind, origin = this.#origin, crossOrigin = false, topOrigin } = deviation;
    const data = { type, challenge: deviation.challenge ?? challenge, origin, crossOrigin, topOrigin };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData({ rpId = this.#rpId, flags = ['up'], counter = this.counter }: Deviation, initialFlags: number): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags.reduce((bits, flag) => bits | FLAGS[flag], initialFlags));
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
  }

  #coseKey(algorithm: number = this.#algorithm): Uint8Array {
    const { type, curve } = ALGORITHMS[this.#algorithm];
    const { x = '', y, n = '', e = '' } = this.#publicKey;
    const entries: [number, unknown][] = [
      [1, type],
      [3, algorithm],
      [-1, curve ?? toBytes(n)],
      [-2, toBytes(curve === null ? e : x)],
      ...(y === undefined ? [] : [[-3, toBytes(y)] as [number, unknown]]),
    ];
    return isoCBOR.encode(new Map(entries) as never);
  }

  #sign(authData: Uint8Array, clientData: Uint8Array): Buffer {
    const signedData = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return sign(ALGORITHMS[this.#algorithm].hash, signedData, this.#privateKey);
  }
}

function toBytes(encodedText: string): Uint8Array {
  return new Uint8Array(Buffer.from(encodedText, 'base64url'));
}
