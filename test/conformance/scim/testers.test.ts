/**
 * Two public testers of SCIM servers run against the real listener: `scim2-tester` and `scim-sanity` from PyPI. What they cannot know is
 * listed in docs/scim.md and proven by `test/flows/scim-*.test.ts`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../../support/operator.js';
import { providePythonTools } from '../../support/python-tools.js';
import { scimSource } from '../../support/scim-client.js';

const run = promisify(execFile);
const SOURCE = scimSource('tester', { groups: { most: 100, groupName: false } });
const TIMEOUT_MS = 300_000;
/**
 * This check adds a member who does not exist and expects success. The ids of people are made here, so such a member can never exist later, and
 * a client that is told so finds its mistake.
 */
const NOT_A_FAULT = 'PATCH /Groups/{id} add member';

/** Prints the title, status and reason of each check. */
const PROGRAM = `
import json, sys
from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server
url, token = sys.argv[1:]
http = Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
results = check_server(SyncSCIMClient(http))
print(json.dumps([[one.title, one.status.name, str(one.reason)] for one in results]))
`;

const tools = await providePythonTools('scim-testers', join(import.meta.dirname, 'requirements.txt'));
if ('fault' in tools) process.stderr.write(`SKIPPED: the public testers of SCIM do not run: ${tools.fault}\n`);

('fault' in tools ? describe['skip'] : describe)('public testers of SCIM servers', () => {
  const bin = 'path' in tools ? tools.path : '';
  let operator: TestOperator;
  let url: string;
  const [token = ''] = SOURCE.tokens;

  beforeAll(async () => {
    operator = await startTestOperator({ config: () => ({ scim: [SOURCE] }) });
    url = `${operator.url}/scim/v2`;
  });
  afterAll(() => operator.close());

  it(
    'scim2-tester finds no fault',
    async () => {
      const { stdout } = await run(join(bin, 'python3'), ['-c', PROGRAM, url, token], { timeout: TIMEOUT_MS });
      const results = JSON.parse(stdout) as [string, string, string][];
      expect(results.filter(([, status]) => !['SUCCESS', 'SKIPPED', 'COMPLIANT', 'ACCEPTABLE'].includes(status))).toEqual([]);
      expect(results.filter(([, status]) => status === 'SUCCESS').length).toBeGreaterThan(20);
    },
    TIMEOUT_MS,
  );

  it(
    'scim-sanity finds only what docs/scim.md explains',
    async () => {
      const options = ['probe', url, '--token', token, '--i-accept-side-effects', '--json-output', '--timeout', '60'];
      // It ends with 1 if it finds a fault.
      const { stdout } = await run(join(bin, 'scim-sanity'), options, { timeout: TIMEOUT_MS }).catch(
        (error: unknown) => error as { stdout: string },
      );
      const report = JSON.parse(stdout) as { results: { name: string; status: string }[] };
      expect(report.results.filter(({ status }) => !['pass', 'skip'].includes(status)).map(({ name }) => name)).toEqual([
        NOT_A_FAULT,
      ]);
      expect(report.results.filter(({ status }) => status === 'pass').length).toBeGreaterThan(20);
    },
    TIMEOUT_MS,
  );
});
