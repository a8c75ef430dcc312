/** Codes of devices: the fake and the adapter in front of the embedded upstream and of a real Hydra behave in the same way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../../src/config/keys.js';
import { FakeHydra } from '../../../src/hydra/fake-hydra.js';
import { ChallengeUnknown, UpstreamUnavailable, UserCodeRefused } from '../../../src/hydra/hydra.errors.js';
import type { HydraPort } from '../../../src/hydra/hydra.port.js';
import { OryHydraAdapter } from '../../../src/hydra/ory-hydra.adapter.js';
import { hasCapability } from '../../../src/hydra/versions.js';
import { DEVICE_CLIENT, Device } from '../../support/device.js';
import { binaryLeg } from '../../support/upstream-binary.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import type { Leg } from '../../support/upstream-leg.js';
import { Scene } from '../upstream/scene.js';
import { findChallenge } from '../upstream/walk.js';

interface Side {
  port: HydraPort;
  publicUrl: string;
  /** @returns the challenge of a browser on the page for the code */
  challenge(): Promise<string>;
  /** @returns the user code of a waiting device */
  userCode(): Promise<string>;
  close(): Promise<void>;
}

const VERIFY = '/oauth2/device/verify';

const binary = binaryLeg(process.env);
const sides: [name: string, open: () => Promise<Side>][] = [
  ['the fake', openFake],
  ['the adapter on the embedded upstream', () => openServer(embeddedLeg)],
];
if (!('missing' in binary) && hasCapability(binary.version, 'deviceFlow')) {
  sides.push([`the adapter on ${binary.name} ${binary.version}`, () => openServer(binary)]);
}

describe.each(sides)('%s', (_, open) => {
  let side: Side;
  beforeAll(async () => {
    side = await open();
  });
  afterAll(() => side.close());

  it('[DEV-2] redirects to Hydra after the right code, also a second time before the consent is answered', async () => {
    const [challenge, userCode] = [await side.challenge(), await side.userCode()];
    for (const time of ['first', 'second']) {
      const url = new URL(await side.port.acceptDevice(challenge, userCode));
      expect([time, url.origin, url.pathname]).toEqual([time, new URL(side.publicUrl).origin, VERIFY]);
      expect(url.searchParams.get('device_verifier')).toBeTruthy();
    }
  });

  it('[DEV-5] refuses an unknown code, and accepts the right one afterwards', async () => {
    const [challenge, userCode] = [await side.challenge(), await side.userCode()];
    const otherCase = userCode.toLowerCase() === userCode ? userCode.toUpperCase() : userCode.toLowerCase();
    for (const wrong of ['wrongcod', otherCase, `${userCode}x`, 'ä€', '\u{1f511}']) {
      await expect(side.port.acceptDevice(challenge, wrong)).rejects.toBeInstanceOf(UserCodeRefused);
    }
    expect(await side.port.acceptDevice(challenge, userCode)).toContain(VERIFY);
  });

  it('[DEV-7] distinguishes an invalid challenge from a wrong code', async () => {
    const userCode = await side.userCode();
    for (const unknown of ['x', randomToken()]) {
      await expect(side.port.acceptDevice(unknown, userCode)).rejects.toBeInstanceOf(ChallengeUnknown);
    }
  });
});

it('distinguishes an unavailable upstream from a wrong code', async () => {
  const fake = new FakeHydra();
  fake.fail();
  const settings = { adminUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:1', timeoutMs: 500 };
  for (const port of [fake, new OryHydraAdapter(settings)]) {
    await expect(port.acceptDevice('x', 'code')).rejects.toBeInstanceOf(UpstreamUnavailable);
  }
});

async function openFake(): Promise<Side> {
  const port = new FakeHydra();
  return {
    port,
    publicUrl: port.publicUrl,
    challenge: async () => {
      const challenge = randomToken();
      port.addDeviceRequest(challenge);
      return challenge;
    },
    userCode: async () => {
      const userCode = `Wd${randomToken(6)}`;
      port.addUserCode(userCode);
      return userCode;
    },
    close: async () => undefined,
  };
}

async function openServer(leg: Leg): Promise<Side> {
  const scene = await Scene.open(leg);
  const { adminUrl, publicUrl } = scene.upstream;
  const client = await scene.newApp(DEVICE_CLIENT);
  return {
    port: new OryHydraAdapter({ adminUrl, publicUrl, timeoutMs: 30_000 }),
    publicUrl,
    challenge: async () => findChallenge(await scene.browser().get(publicUrl + VERIFY), 'device'),
    userCode: async () => (await Device.start(client)).userCode,
    close: () => scene.close(),
  };
}
