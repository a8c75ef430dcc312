/** Runs `hydra create client --file` with the registrations of docs/clients: a real Hydra stores every value that a page contains. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECIPES, recipeFile, parseRegistration } from '../support/client-recipes.js';
import { ScratchTree } from '../support/scratch-tree.js';
import { binaryLeg } from '../support/upstream-binary.js';
import type { Upstream } from '../support/upstream-leg.js';

const leg = binaryLeg(process.env);
if ('missing' in leg) process.stderr.write(`SKIPPED: the recipes' registrations at a Hydra binary: ${leg.missing}\n`);

('missing' in leg ? describe['skip'] : describe)('the registrations of docs/clients', () => {
  const tree = new ScratchTree();
  let upstream: Upstream;

  beforeAll(async () => {
    if ('missing' in leg) throw new Error(leg.missing);
    upstream = await leg.start();
  });
  afterAll(async () => {
    await upstream.close();
    tree.remove();
  });

  it.each(RECIPES)('are stored by Hydra without changes (%s)', async (recipe) => {
    tree.write('client.json', recipeFile(recipe, 'client.json'));
    const command = [
      'create',
      'client',
      '--endpoint',
      upstream.adminUrl,
      '--file',
      `${tree.root}/client.json`,
      '--format',
      'json',
    ];
    const { stdout } = await promisify(execFile)(process.env.HYDRA_BIN || 'hydra', command, { env: {} });
    const made = JSON.parse(stdout) as { client_id: string; client_secret?: string };
    const registration = parseRegistration(recipe);
    expect(made.client_secret === undefined).toBe(registration.token_endpoint_auth_method === 'none');
    const kept = await fetch(`${upstream.adminUrl}/admin/clients/${made.client_id}`);
    // The command line generates an id even if the file contains one; the page warns about this.
    expect(await kept.json()).toMatchObject({ ...registration, client_id: made.client_id });
  });
});
