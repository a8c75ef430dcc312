/** Settings of the parts that run in their own containers (docker-compose.yml). */
import { readFileSync } from 'node:fs';
import { environment } from '../../src/config/environment.js';
import { Keys } from '../../src/config/keys.js';
import { DEMO_CLIENT_ID, type DemoClient } from './demo-client.js';

/** @returns the trimmed value. Throws a sentence that names the missing setting */
export function given(name: string): string {
  const value = (environment()[name] ?? '').trim();
  if (value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** @returns the address without a trailing slash. Throws a sentence that names the setting */
export function givenUrl(name: string): string {
  const value = given(name);
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new Error(`${name} is not an http address.`);
  return value.replace(/\/$/, '');
}

export function givenFile(name: string): string {
  const value = readFileSync(given(name), 'utf8').trim();
  if (value === '') throw new Error(`The file that ${name} names is empty.`);
  return value;
}

/**
 * The demo app's registration, for the app and for the job that registers it; both derive the secret from a shared
 * seed.
 */
export function demoClient(): DemoClient & { keys: Keys } {
  const keys = new Keys([givenFile('DEMO_SEED_FILE')]);
  return {
    id: DEMO_CLIENT_ID,
    secret: keys.mac('demo-account', 'client-secret'),
    baseUrl: givenUrl('DEMO_URL'),
    keys,
  };
}
