/** Passkeys for people of the benchmark: rows like those of a registration, and assertions that are signed in software. */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PostgresCluster } from '../support/postgres-cluster.js';

/** A passkey as it is sent to the process that generates the load. */
export interface BenchPasskey {
  id: string;
  handle: string;
  /** PKCS #8, PEM. All people have the same key. */
  privateKey: string;
}

const USER_VERIFIED_AND_PRESENT = 0x05;
const toBytes = (text: string | undefined): Uint8Array => new Uint8Array(Buffer.from(text ?? '', 'base64url'));

/** @param people people whose accounts exist */
export async function addPasskeys<Somebody extends { username: string }>(
  cluster: PostgresCluster,
  people: readonly Somebody[],
): Promise<(Somebody & { passkey: BenchPasskey })[]> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicJwk = pair.publicKey.export({ format: 'jwk' });
  const entries: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, toBytes(publicJwk.x)],
    [-3, toBytes(publicJwk.y)],
  ];
  const publicKey = Buffer.from(isoCBOR.encode(new Map(entries) as never)).toString('hex');
  const peopleWithPasskeys = people.map((one) => {
    const passkey = { id: randomBytes(32).toString('base64url'), handle: randomBytes(64).toString('base64url'), privateKey };
    return { ...one, passkey };
  });
  for (const { username, passkey } of peopleWithPasskeys) {
    const account = `(select id from account where username = '${username}')`;
    await cluster.execute(`insert into passkey_user (account_id, handle) values (${account}, '${passkey.handle}')`);
    await cluster.execute(`
      insert into passkey (account_id, credential_id, public_key, algorithm, counter, backup_eligible, backed_up, user_verified,
        transports, aaguid, name, created_at)
      values (${account}, '${passkey.id}', decode('${publicKey}', 'hex'), -7, 0, false, false, true, '{internal}',
        '00000000-0000-0000-0000-000000000000', '', now())`);
  }
  return peopleWithPasskeys;
}

/** @returns the response of the browser as JSON */
export function buildAssertion({ id, handle, privateKey }: BenchPasskey, challenge: string, origin: string): string {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest();
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([USER_VERIFIED_AND_PRESENT, 0, 0, 0, 0])]);
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
  const response = {
    authenticatorData: authenticatorData.toString('base64url'),
    clientDataJSON: clientData.toString('base64url'),
    signature: sign('sha256', signed, createPrivateKey(privateKey)).toString('base64url'),
    userHandle: handle,
  };
  return JSON.stringify({ id, rawId: id, type: 'public-key', response });
}
