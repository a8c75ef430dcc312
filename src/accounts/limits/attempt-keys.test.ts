import { describe, expect, it } from '@jest/globals';
import { Keys } from '../../config/keys.js';
import { toNetwork, shortenNetwork, toShownNetwork } from '../audit/network.js';
import { toAddressCounter, toDeviceCounter, toNameCounter } from './attempt-keys.js';

const keys = new Keys(['a secret of the installation, for tests']);

describe('keys of the attempt counters', () => {
  it('are equal for all spellings of a name and differ between names', () => {
    const spellings = ['Anna', ' ANNA ', 'ａｎｎａ'];
    expect(new Set(spellings.map((name) => toNameCounter(keys, name))).size).toBe(1);
    expect(toNameCounter(keys, 'anna')).not.toBe(toNameCounter(keys, 'anne'));
  });

  it('are equal for a name with much whitespace around it, and for all spellings of a name that only a user source knows', () => {
    const paddedNames = [0, 1, 100, 255].map((blanks) => `${' '.repeat(blanks)}Anna\u00a0${'\t'.repeat(300)}`);
    expect(new Set(['anna', ...paddedNames].map((name) => toNameCounter(keys, name))).size).toBe(1);
    const spellings = ["o'neil@example.com", "O'Neil@example.COM", " o'neil@example.com", "o'neil@ｅxample.com"];
    expect(new Set(spellings.map((name) => toNameCounter(keys, name))).size).toBe(1);
  });

  it('differ between names that no account can have', () => {
    const names = ['', 'a\u0000', 'x'.repeat(100_000), '\uD800\uD800', 'anna'];
    expect(new Set(names.map((name) => toNameCounter(keys, name))).size).toBe(names.length);
  });

  it('do not reveal the name, address or device that they stand for', () => {
    const counterKeys = [
      toNameCounter(keys, 'anna'),
      toAddressCounter(keys, '192.0.2.1'),
      toDeviceCounter(keys, { secret: 's3cret', accountId: 'id' }),
    ];
    expect(counterKeys.join()).not.toMatch(/anna|192|s3cret|id/);
    expect(toNameCounter(new Keys(['another secret of an installation']), 'anna')).not.toBe(counterKeys[0]);
  });
});

describe('networks of addresses', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['::1:2:3:4:5:192.0.2.7', '0:1:2:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('[S-21] toNetwork: %s belongs to the network %s', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });

  it.each([
    ['192.0.2.7', '192.0.2.x'],
    ['::ffff:192.0.2.7', '192.0.2.x'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:x'],
    ['unknown', 'unknown'],
  ])('[NTC-1] toShownNetwork: %s is shown as %s', (address, network) => {
    expect(toShownNetwork(address)).toBe(network);
  });

  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::7', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['unknown', ''],
    ['', ''],
  ])('[DAT-2] shortenNetwork: %s is shortened to %j', (address, network) => {
    expect(shortenNetwork(address)).toBe(network);
  });
});
