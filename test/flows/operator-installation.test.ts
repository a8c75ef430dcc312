/** What the operator API says about the installation: sources, doctor, settings. None of it reveals a secret. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import type { SourceInspection } from '../../src/sources/user-source.port.js';
import { UserSources } from '../../src/sources/user-sources.js';
import type { DoctorAnswer, SettingsAnswer, SourceStatesAnswer } from '../../src/operator/wire-installation.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, expectError } from '../support/operator-story.js';

const SECRET = 'hunter2-never-shown-anywhere-at-all';

class Directory extends FakeUserSource {
  inspection: SourceInspection = { servers: [{ address: 'ldaps://ldap.example.org', encryption: 'TLS' }], usernames: [] };
  asked = 0;

  override async inspect(): Promise<SourceInspection> {
    this.asked += 1;
    return this.inspection;
  }
}

let operator: TestOperator;
/** Accepts connections and never answers. */
let silent: Server;
const sockets = new Set<Socket>();
const staff = new Directory('staff');
const line = commandLine(() => operator);
const api = loadApi();

beforeAll(async () => {
  silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const hydra = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  operator = await startTestOperator({
    config: () => ({
      sources: [{ id: 'staff', type: 'ldap' } as never],
    }),
    foundation: ({ log }) => ({
      sources: new UserSources([staff], log),
      environment: {
        PUBLIC_URL: 'http://localhost:1',
        HYDRA_ADMIN_URL: hydra,
        HYDRA_PUBLIC_URL: hydra,
        DATABASE_URL: `postgres://foyer:${SECRET}@127.0.0.1:1/foyer`,
        SMTP_URL: `smtp://mail:${SECRET}@127.0.0.1:1`,
        SECRETS_SYSTEM: SECRET,
        OPERATOR_TOKEN: SECRET,
        APP_NAME: 'Example',
      },
    }),
  });
});

afterAll(async () => {
  await operator.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

async function listSources(): Promise<SourceStatesAnswer> {
  const answer = await operator.call('GET', '/sources');
  expect(api.findAnswerFaults('GET', '/operator/v1/sources', answer)).toBeNull();
  return answer.json as unknown as SourceStatesAnswer;
}

describe('[OPR-3] sources', () => {
  it('are asked once for several calls, and say what is wrong', async () => {
    staff.inspection = {
      servers: [{ address: 'ldaps://ldap.example.org', encryption: 'TLS', fault: 'ECONNREFUSED' }],
      usernames: [],
    };
    const [one, two] = await Promise.all([listSources(), listSources()]);
    expect([two, staff.asked]).toEqual([one, 1]);
    expect(one.sources[0]).toMatchObject({ id: 'staff', state: 'fault' });
    expect(one.sources[0]?.findings).toEqual([
      {
        level: 'fault',
        what: 'The source staff cannot be used at ldaps://ldap.example.org (ECONNREFUSED).',
        fix: expect.stringContaining('USER_SOURCES'),
      },
    ]);
    const { json } = await operator.call('GET', '/today');
    expect(json['rows']).toContainEqual({ kind: 'sources', count: 1, names: ['staff'], id: null, since: null });
    expect(await line('source list')).toMatchObject({ code: 1, out: expect.stringMatching(/staff +ldap +fault/) });
  });
});

describe('[OPR-3] the doctor of a gateway', () => {
  it('ends although Hydra hangs, runs once at a time, and reveals no secret', async () => {
    const first = operator.call('POST', '/doctor');
    // The first call begins before the second one is answered.
    const second = await operator.call('POST', '/doctor');
    const answers = [await first, second];
    const refused = answers.find(({ status }) => status === 409);
    expectError(refused!, 409, 'doctor_running');
    const done = answers.find(({ status }) => status === 200);
    expect(api.findAnswerFaults('POST', '/operator/v1/doctor', done!)).toBeNull();
    const { status, findings } = done!.json as unknown as DoctorAnswer;
    expect(status).toBe('fault');
    expect(findings.filter(({ level }) => level === 'fault').map(({ check }) => check)).toEqual(
      expect.arrayContaining(['Hydra', 'Database', 'Mail']),
    );
    expect(done!.text).not.toContain(SECRET);
    const printed = await line('doctor --at-gateway');
    expect([printed.code, printed.out.includes(SECRET)]).toEqual([1, false]);
    expect(printed.out).toContain('FAULT');
  }, 180_000);
});

describe('[OPR-3] settings', () => {
  it('have their values and origins, and no secret', async () => {
    const answer = await operator.call('GET', '/settings');
    expect(api.findAnswerFaults('GET', '/operator/v1/settings', answer)).toBeNull();
    expect(answer.text).not.toContain(SECRET);
    const { settings } = answer.json as unknown as SettingsAnswer;
    const find = (name: string) => settings.find((setting) => setting.name === name);
    expect(find('APP_NAME')).toMatchObject({ origin: 'environment', value: 'Example' });
    expect(find('SMTP_URL')).toMatchObject({ origin: 'environment', secret: true, value: null });
    const { out } = await line('settings');
    expect(out).toMatch(/APP_NAME +environment +Example/);
    expect(out).toMatch(/SMTP_URL +environment +set/);
    expect(out).not.toContain('LOG_LEVEL');
    expect((await line('settings --all')).out).toMatch(/LOG_LEVEL +default +info/);
  });
});
