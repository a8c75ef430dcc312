/**
 * What docker-compose.yml does once everything stands: registers the demo app at Hydra, makes the demo account through the
 * operator API as any client of it would, and says where to go. Doing it again changes nothing.
 */
import { MARIA } from './launch/demo-account.js';
import { registerDemoClient } from './launch/demo-client.js';
import { demoClient, givenFile, givenUrl } from './launch/own-settings.js';
import { readablePassword } from './launch/readable-password.js';

const TIMEOUT_MS = 10_000;
const CONFLICT = 409;

async function enrol(): Promise<void> {
  const client = demoClient();
  await registerDemoClient(givenUrl('HYDRA_ADMIN_URL'), client);
  const password = readablePassword(client.keys.derive('demo-account'));
  const isNew = await createAccount(password);
  const lines = [
    `Open ${client.baseUrl}`,
    '',
    `Account    ${MARIA.username}`,
    `Password   ${password}${isNew ? '' : '   (unless it was changed)'}`,
    `Mailbox    ${givenUrl('MAILBOX_URL')}`,
    '',
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** @returns false when it was there already, with whatever password it has now */
async function createAccount(password: string): Promise<boolean> {
  const { username, displayName, email } = MARIA;
  const answer = await fetch(`${givenUrl('OPERATOR_URL')}/operator/v1/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${givenFile('OPERATOR_TOKEN_FILE')}` },
    body: JSON.stringify({ username, password, display_name: displayName, email }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.status === CONFLICT) return false;
  if (!answer.ok) throw new Error(`The demo account could not be made (HTTP ${answer.status}): ${await answer.text()}`);
  return true;
}

await enrol().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
