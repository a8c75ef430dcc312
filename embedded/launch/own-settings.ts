/** Settings of the parts that run in their own containers (docker-compose.yml). */
import { readFileSync } from 'node:fs';
import { environment } from '../../src/config/environment.js';
import { Keys } from '../../src/config/keys.js';
import { DEMO_CLIENT_ID, type DemoClient } from './demo-client.js';

/** @returns the trimmed value. @throws Error with a sentence that names the missing setting */
export function readSetting(name: string): string {
  const value = (environment()[name] ?? '').trim();
  if (value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** @returns the address without a trailing slash. @throws Error with a sentence that names the setting */
export function readUrlSetting(name: string): string {
  const value = readSetting(name);
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error(`${name} is not an http or https address.`);
  return value.replace(/\/$/, '');
}

/**
 * @returns the trimmed content of the file that the setting names
 * @throws Error with a sentence that names the setting; the system's error if the file cannot be read
 */
export function readFileSetting(name: string): string {
  const value = readFileSync(readSetting(name), 'utf8').trim();
  if (value === '') throw new Error(`The file that ${name} names is empty.`);
  return value;
}

/**
 * The client of the demo app, for the app and for the job that registers it; both derive the secret from a shared seed.
 */
export function readDemoClient(): DemoClient & { keys: Keys } {
  const keys = new Keys([readFileSetting('DEMO_SEED_FILE')]);
  return {
    id: DEMO_CLIENT_ID,
    secret: keys.mac('demo-account', 'client-secret'),
    baseUrl: readUrlSetting('DEMO_URL'),
    keys,
  };
}
