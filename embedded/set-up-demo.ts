/**
 * The last step of docker-compose.yml: registers the demo app at Hydra, creates the demo accounts, and prints the
 * addresses and the accounts of Maria and of the operator. Running it again does not change existing accounts.
 */
import { REGISTRATION_REMARK, PROVIDERS_REMARK, buildTryLines } from './launch/banner.js';
import { registerDemoClient } from './launch/demo-client.js';
import { MARIA, OLGA, buildJonas, buildMaria } from './launch/demo-people.js';
import { OperatorPeople } from './launch/operator-people.js';
import { readDemoClient, readSetting, readFileSetting, readUrlSetting } from './launch/own-settings.js';
import { deriveDemoPassword } from './launch/demo-password.js';

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 100;
const UNLESS_CHANGED = '   (unless it was changed)';

async function setUpDemo(): Promise<void> {
  const client = readDemoClient();
  await registerDemoClient(readUrlSetting('HYDRA_ADMIN_URL'), client);
  const people = new OperatorPeople({
    operatorUrl: readUrlSetting('OPERATOR_URL'),
    token: readFileSetting('OPERATOR_TOKEN_FILE'),
  });
  const [password, operatorPassword] = [deriveDemoPassword(client.keys, 'maria'), deriveDemoPassword(client.keys, 'olga')];
  const demoProvidersUrl = readUrlSetting('PROVIDERS_URL');
  const isNew = await people.create({ ...buildMaria(demoProvidersUrl), password });
  for (const person of buildJonas(demoProvidersUrl)) await people.create(person);
  const isNewOperator = await people.createOperator({ ...OLGA, password: operatorPassword }, 'admin');
  await Promise.all(readSetting('AWAITED').split(/\s+/).map(waitForAnswer));
  const lines = [
    `Open ${client.baseUrl}`,
    '',
    `Account       ${MARIA.username}`,
    `Password      ${password}${isNew ? '' : UNLESS_CHANGED}`,
    '',
    ...buildTryLines(client.baseUrl),
    '',
    `Mailbox       ${readUrlSetting('MAILBOX_URL')}`,
    `Providers     ${demoProvidersUrl}  ${PROVIDERS_REMARK}`,
    `Registration  ${readUrlSetting('REGISTRATION_URL')}  ${REGISTRATION_REMARK}`,
    `Console       ${readUrlSetting('CONSOLE_URL')}/console/  ${OLGA.username}, ${operatorPassword}${isNewOperator ? '' : UNLESS_CHANGED}`,
    '',
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/**
 * Waits until a server answers. Any status counts, because a site answers an unknown host name with an error.
 * @throws if no server answers in time
 */
async function waitForAnswer(url: string): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' });
      return;
    } catch (error) {
      if (performance.now() > deadline) throw new Error(`No server answers at ${url}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

await setUpDemo().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
