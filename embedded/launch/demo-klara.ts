/** Starts the example user source with one person, Klara. Her account at Foyer does not exist before her first sign-in. */
import type { Config } from '../../src/config/config.js';
import { buildDemoSourceUrl } from '../../src/config/demo-source.js';
import type { Keys } from '../../src/config/keys.js';
import { hashPassword, startPeopleService } from '../people/people-service.js';
import { deriveDemoPassword } from './demo-password.js';

export interface PeopleWithKlara {
  url: string;
  username: string;
  password: string;
  close(): Promise<void>;
}

/** @throws the listening error */
export async function startPeople(
  { publicUrl, embeddedPorts: { people: port } }: Config,
  keys: Keys,
  onFailure: (error: unknown) => void,
): Promise<PeopleWithKlara> {
  const username = 'klara.vorbild';
  const password = deriveDemoPassword(keys, 'klara');
  let hash: Promise<string> | undefined;
  const klara = {
    ...{ sub: '1001', username, display_name: 'Klara Vorbild', email: 'klara.vorbild@example.com', email_verified: true },
    groups: ['Buchladen'],
    // The password is hashed on first use, so that the start does not wait for it.
    get hash() {
      return (hash ??= hashPassword(password));
    },
  };
  const issuer = buildDemoSourceUrl(port);
  const service = await startPeopleService({ host: 'localhost', port, foyerUrl: publicUrl, issuer, people: [klara], onFailure });
  return { ...service, username, password };
}
