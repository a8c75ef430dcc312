/** `foyer clients plan|apply`: what a file changes at Hydra, what it refuses as a whole, and that a second run has nothing to do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine } from '../support/operator-story.js';

let operator: TestOperator;
let folder: string;
const foyer = commandLine(() => operator);

const SHOP = {
  client_id: 'shop',
  preset: 'server',
  client_name: 'Shop',
  redirect_uris: ['https://shop.example.org/callback'],
  foyer: { mfa: 'required', confirm_session: true },
};
const TELEVISION = { client_id: 'television', preset: 'device', client_name: 'Television' };

beforeAll(async () => {
  operator = await startTestOperator();
  folder = mkdtempSync(join(tmpdir(), 'clients-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await operator.close();
});

beforeEach(async () => {
  const { clients } = await operator.hydra.listClients({ limit: 200 });
  for (const { client_id: id } of clients) operator.hydra.forget(id);
});

function write(content: unknown): string {
  const path = join(folder, 'clients.yaml');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const run = (command: 'plan' | 'apply', path: string, ...more: string[]) => foyer(['clients', command, path, ...more]);

async function countEvents(): Promise<number> {
  const { json } = await operator.call('GET', '/audit?kind=client&limit=200');
  return (json['entries'] as unknown[]).length;
}

describe('a file of clients', () => {
  it('is planned without a change, applied, and has nothing to do after it', async () => {
    const path = write({ clients: [SHOP, TELEVISION] });
    const planned = await run('plan', path);
    expect([planned.code, planned.out]).toEqual([0, 'register  shop\nregister  television\n']);
    expect(operator.hydra.findRegistration('shop')).toBeUndefined();

    const before = readFileSync(path, 'utf8');
    const applied = await run('apply', path, '--reason', 'first roll-out');
    const secret = String(operator.hydra.findRegistration('shop')?.['client_secret']);
    expect([applied.code, applied.out.split(secret).length]).toEqual([0, 2]);
    expect(readFileSync(path, 'utf8')).toBe(before);

    const events = await countEvents();
    const again = await run('apply', path);
    expect([again.code, again.out, again.err]).toEqual([0, '', 'Nothing to do.\n']);
    expect((await run('plan', path)).out).toBe('unchanged shop\nunchanged television\n');
    expect(await countEvents()).toBe(events);
  });

  it('changes what differs, and nothing that it does not name', async () => {
    await run('apply', write({ clients: [SHOP] }));
    await foyer('client update shop --owner Online');
    // The order of the members of an object means nothing.
    const changed = { ...SHOP, client_name: 'Laden', foyer: { confirm_session: true, mfa: 'required' } };
    const path = write({ clients: [changed] });
    expect((await run('plan', path)).out).toBe('change    shop\n  client_name: "Laden"\n');
    expect((await run('apply', path)).code).toBe(0);
    expect(operator.hydra.findRegistration('shop')).toMatchObject({
      client_name: 'Laden',
      owner: 'Online',
      redirect_uris: SHOP.redirect_uris,
    });
  });

  it('deletes others only with --prune, and never the one of the console', async () => {
    operator.hydra.addRegistered({ client_id: 'foyer-console', client_name: 'Foyer console' });
    await run('apply', write({ clients: [SHOP, TELEVISION] }));
    const path = write({ clients: [SHOP] });
    expect((await run('plan', path)).out).toBe('unchanged shop\n');
    expect((await run('plan', path, '--prune')).out).toBe('unchanged shop\ndelete    television\n');
    expect((await run('apply', path, '--prune')).code).toBe(0);
    const { clients } = await operator.hydra.listClients({ limit: 200 });
    expect(clients.map(({ client_id: id }) => id)).toEqual(['foyer-console', 'shop']);
  });

  it('does not delete all clients because it names none', async () => {
    await run('apply', write({ clients: [SHOP] }));
    const path = write({ clients: [] });
    for (const command of ['plan', 'apply'] as const) {
      const { code, err } = await run(command, path, '--prune');
      expect([code, err]).toEqual([
        2,
        'foyer: Nothing was changed. The file names no client, so --prune would delete all clients.\n',
      ]);
      expect((await run(command, path)).code).toBe(0);
    }
    expect(operator.hydra.findRegistration('shop')).toBeDefined();
  });

  it('names every fault with its place, and changes nothing', async () => {
    const path = write({
      version: 1,
      clients: [
        SHOP,
        SHOP,
        { ...TELEVISION, client_id: 'a b', preset: 'kiosk' },
        { ...SHOP, client_id: 'x', redirect_uris: ['http://shop.example.org/*'], client_secret: 'geheim', skip_consent: 'yes' },
        { client_id: 'machine', preset: 'machine', client_name: 'M\u202e', foyer: { mfa: 'never' } },
        'none',
      ],
    });
    for (const command of ['plan', 'apply'] as const) {
      const { code, err } = await run(command, path);
      expect(code).toBe(2);
      for (const fault of [
        '"version" is unknown',
        'clients[1]: the client_id occurs twice in the file',
        'clients[2]: client_id must consist of',
        'clients[2]: preset must be one of server',
        'clients[3]: redirect_uris: "http://shop.example.org/*" must not contain a wildcard',
        'clients[3]: "client_secret" is unknown',
        'clients[3]: skip_consent must be true or false',
        'clients[4]: scope is missing',
        'clients[4]: client_name',
        'clients[4]: foyer: "mfa" is not "required"',
        'clients[5]: must be an object',
      ])
        expect([fault, err.includes(fault)]).toEqual([fault, true]);
      expect(err).not.toMatch(/geheim|\u202e|\uFFFD/);
    }
    expect((await operator.hydra.listClients({ limit: 200 })).clients).toEqual([]);
  });

  it('is YAML, with comments and without surprises', async () => {
    const path = write(`# The apps of the shop
clients:
  - client_id: shop
    preset: server
    client_name: NO
    redirect_uris: [https://shop.example.org/callback] # production
`);
    expect((await run('apply', path)).code).toBe(0);
    expect(operator.hydra.findRegistration('shop')).toMatchObject({ client_name: 'NO' });
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((line, index, lines) => {
      const former = lines[index - 1]?.[0] ?? '';
      return index === 0 ? line : `${line}: &${line} [${Array(9).fill(`*${former}`).join(', ')}]`;
    });
    for (const [content, position] of [
      ['clients:\n  - client_id: shop\n    client_id: other\n', 'line 3, column 5'],
      ['clients:\n\t- x\n', 'line 2, column 1'],
      ['clients: !!js/function "x"\n', 'line 1, column 10'],
      [bomb.join('\n'), 'alias'],
    ] as const) {
      const refused = await run('plan', write(content));
      expect([content, refused.code, refused.err]).toEqual([content, 2, expect.stringContaining(position)]);
    }
  });

  it('is refused if it is not there, not YAML, or of another kind than what Hydra has', async () => {
    expect((await run('apply', join(folder, 'nowhere.yaml'))).code).toBe(2);
    for (const content of ['{', '[]', '{"clients":{}}', '"x"']) expect((await run('apply', write(content))).code).toBe(2);
    await run('apply', write({ clients: [SHOP] }));
    const other = await run('apply', write({ clients: [TELEVISION, { ...SHOP, preset: 'mobile' }] }));
    expect([other.code, other.err]).toEqual([4, expect.stringContaining('is not of the kind mobile')]);
    expect(operator.hydra.findRegistration('television')).toBeUndefined();
  });

  it('shows the secrets of clients that were registered before a failure', async () => {
    const create = operator.hydra.createClient.bind(operator.hydra);
    operator.hydra.createClient = async (client) => {
      if (client.client_id === 'television') throw new Error('Broken');
      return create(client);
    };
    const applied = await run('apply', write({ clients: [SHOP, TELEVISION] }), '--json');
    operator.hydra.createClient = create;
    expect(applied.code).toBe(1);
    const { steps, secrets } = JSON.parse(applied.out) as { steps: object[]; secrets: object[] };
    expect(steps).toMatchObject([{ action: 'create', client_id: 'shop' }]);
    expect(secrets).toEqual([{ client_id: 'shop', client_secret: operator.hydra.findRegistration('shop')?.['client_secret'] }]);
  });
});
