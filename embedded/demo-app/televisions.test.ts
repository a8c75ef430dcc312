import { beforeEach, describe, expect, it } from '@jest/globals';
import { IssuerUnreachable, ProtocolFailure, OAuthError } from './protocol-errors.js';
import { Televisions, TooManyTelevisions, WAITING_LIMIT, type TelevisionState } from './televisions.js';
import type { TokenSet } from './token-set.js';

const TOKENS: TokenSet = { idToken: 'e30', claims: { sub: 'maria-1' }, accessToken: 'access', scopes: ['openid'] };
const LIFETIME_SECONDS = 600;

const refuse = (code: string): OAuthError => new OAuthError(code, '');

describe('a television', () => {
  let nowSeconds: number;
  let polls: number[];
  let revokedTokens: string[];
  /** The error with which each poll fails; undefined allows access. */
  let pollError: Error | undefined;
  let revocationError: Error | undefined;
  let televisions: Televisions;

  beforeEach(() => {
    [nowSeconds, polls, revokedTokens, pollError, revocationError] = [1000, [], [], refuse('authorization_pending'), undefined];
    televisions = new Televisions(
      {
        start: () =>
          Promise.resolve({
            deviceCode: 'device',
            userCode: 'abcdEFGH',
            verificationUri: 'http://localhost/verify',
            completeUri: 'http://localhost/verify?user_code=abcdEFGH',
            lifetimeSeconds: LIFETIME_SECONDS,
            intervalSeconds: 5,
          }),
        redeem: () => {
          polls.push(nowSeconds);
          return pollError ? Promise.reject(pollError) : Promise.resolve(TOKENS);
        },
        revoke: ({ accessToken }) => {
          if (revocationError) return Promise.reject(revocationError);
          revokedTokens.push(accessToken);
          return Promise.resolve();
        },
      },
      () => nowSeconds * 1000,
    );
  });

  const findState = async (id: string): Promise<TelevisionState | undefined> => televisions.find(id)?.updateState();

  /** Requests the state once a second. @returns the last state */
  const watch = async (id: string, seconds: number): Promise<TelevisionState | undefined> => {
    let state: TelevisionState | undefined;
    for (let second = 0; second < seconds; second += 1) {
      nowSeconds += 1;
      state = await findState(id);
    }
    return state;
  };

  it('polls once per interval, however often its page is requested', async () => {
    const id = await televisions.start(undefined);
    expect(await findState(id)).toMatchObject({ name: 'waiting', secondsLeft: LIFETIME_SECONDS });
    await watch(id, 11);
    expect(polls).toEqual([1005, 1010]);
    nowSeconds += 100;
    await Promise.all([findState(id), findState(id)]);
    expect(polls).toEqual([1005, 1010, 1111]);
  });

  it('polls with an interval that is five seconds longer after slow_down', async () => {
    const id = await televisions.start(undefined);
    pollError = refuse('slow_down');
    await watch(id, 5);
    pollError = refuse('authorization_pending');
    expect(await watch(id, 20)).toMatchObject({ name: 'waiting', intervalSeconds: 10 });
    expect(polls).toEqual([1005, 1015, 1025]);
  });

  it.each([
    ['the issuer does not answer', new IssuerUnreachable('', {})],
    ['the issuer answers server_error', refuse('server_error')],
  ])('doubles the interval up to a minute each time that %s, and keeps polling', async (_what, error) => {
    const id = await televisions.start(undefined);
    pollError = error;
    expect(await watch(id, 40)).toMatchObject({ name: 'waiting', intervalSeconds: 40 });
    expect(polls).toEqual([1005, 1015, 1035]);
    expect(await watch(id, 200)).toMatchObject({ intervalSeconds: 60 });
    pollError = undefined;
    expect(await watch(id, 60)).toMatchObject({ name: 'signed_in' });
  });

  it('[DEV-2] is signed in by the first poll after access is allowed, and stops polling', async () => {
    const id = await televisions.start(undefined);
    pollError = undefined;
    expect(await watch(id, 5)).toEqual({ name: 'signed_in', tokens: TOKENS });
    expect(await watch(id, LIFETIME_SECONDS)).toMatchObject({ name: 'signed_in' });
    expect(polls).toEqual([1005]);
  });

  it.each([
    ['denied', refuse('access_denied')],
    ['expired', refuse('expired_token')],
    ['expired', refuse('invalid_grant')],
    ['failed', refuse('invalid_client')],
    ['failed', new ProtocolFailure('The signature is invalid.')],
  ])('[DEV-4] ends as %s after %s, and stops polling', async (name, error) => {
    const id = await televisions.start(undefined);
    pollError = error;
    expect(await watch(id, 20)).toEqual({ name });
    expect(polls).toEqual([1005]);
  });

  it('throws an unexpected error and keeps waiting', async () => {
    const id = await televisions.start(undefined);
    pollError = new TypeError('a defect');
    await expect(watch(id, 5)).rejects.toThrow('a defect');
    pollError = undefined;
    expect(await watch(id, 5)).toMatchObject({ name: 'signed_in' });
  });

  it('[DEV-7] expires with its code and does not poll after that', async () => {
    const id = await televisions.start(undefined);
    pollError = undefined;
    nowSeconds += LIFETIME_SECONDS;
    expect(await findState(id)).toEqual({ name: 'expired' });
    expect(polls).toEqual([]);
  });

  it('is forgotten when its browser requests a newer code', async () => {
    const firstId = await televisions.start(undefined);
    const secondId = await televisions.start(firstId);
    expect(televisions.find(firstId)).toBeNull();
    expect(secondId).not.toBe(firstId);
  });

  it('is refused while the maximum number of others waits, also for simultaneous requests, until their codes expire', async () => {
    const ids = await Promise.all(Array.from({ length: WAITING_LIMIT }, () => televisions.start(undefined)));
    await expect(televisions.start(undefined)).rejects.toBeInstanceOf(TooManyTelevisions);
    await expect(televisions.start(ids[0])).resolves.not.toBe(ids[0]);
    await expect(televisions.start(undefined)).rejects.toBeInstanceOf(TooManyTelevisions);
    nowSeconds += LIFETIME_SECONDS;
    const starts = Array.from({ length: WAITING_LIMIT + 1 }, () => televisions.start(undefined));
    const results = await Promise.allSettled(starts);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('revokes its token at sign-out, and stays signed in while the issuer does not answer', async () => {
    const id = await televisions.start(undefined);
    pollError = undefined;
    await watch(id, 5);
    revocationError = new IssuerUnreachable('', {});
    await expect(televisions.signOut(id)).rejects.toBe(revocationError);
    expect(await findState(id)).toMatchObject({ name: 'signed_in' });
    revocationError = undefined;
    await televisions.signOut(id);
    expect(revokedTokens).toEqual(['access']);
    expect(televisions.find(id)).toBeNull();
    await televisions.signOut(id);
  });
});
