/** The policy and the terms of an app on the login page. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import type { ClientProfile } from '../../src/hydra/client-profile.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

function openLogin(client: ClientProfile): Promise<TestPage> {
  const challenge = `policy-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, client });
  return gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
}

describe('the login page', () => {
  it('[S-17] names the policy and the terms of the app, if they are plain web addresses', async () => {
    const policyUri = 'https://app.example/privacy?a="><script>alert(1)</script>';
    const client = gateway.hydra.client({ policyUri, tosUri: 'http://app.example/terms' });
    const page = await openLogin(client);
    expect(page.state('login').login.client).toMatchObject({
      policy_uri: 'https://app.example/privacy?a=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
      tos_uri: 'http://app.example/terms',
    });
    expect(page.html).toContain('href="http://app.example/terms" rel="noopener noreferrer"');
    expect(page.html).not.toContain('<script>alert');
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://user@app.example/',
      '/privacy',
      'https:\\\\app.example',
    ]) {
      const other = await openLogin(gateway.hydra.client({ policyUri: uri, tosUri: uri }));
      expect(other.state('login').login.client).toEqual({ name: 'Beispielportal' });
    }
  });
});
