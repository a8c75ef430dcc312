/**
 * Runs the pages of docs/clients: registers their clients at an installation's Hydra, and runs their programs as
 * processes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toExamples } from './doc-examples.js';
import { processEnvironment } from './process-environment.js';
import { PROJECT, ScratchTree } from './scratch-tree.js';

const FOLDER = 'docs/clients';
const EXAMPLE_SITE = /https:\/\/[a-z]+\.example\.org/g;

/** Client fields of Hydra, as on the page. */
export interface Registration {
  client_id: string;
  redirect_uris: string[];
  post_logout_redirect_uris?: string[];
  scope: string;
  token_endpoint_auth_method: string;
  [member: string]: unknown;
}

/** Names of the pages, without the overview. */
export const RECIPES = readdirSync(join(PROJECT, FOLDER))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((name) => name !== 'README');

export function recipeFile(recipe: string, file: string): string {
  const text = toExamples(`${FOLDER}/${recipe}.md`).get(file);
  if (text === undefined) throw new Error(`${FOLDER}/${recipe}.md has no ${file}`);
  return text;
}

/** @param site the app's real origin; default: the one on the page */
export function parseRegistration(recipe: string, site?: string): Registration {
  const text = recipeFile(recipe, 'client.json');
  return JSON.parse(site === undefined ? text : text.replaceAll(EXAMPLE_SITE, site)) as Registration;
}

/** @returns Hydra's answer @throws with Hydra's message if it refuses */
export async function register(adminUrl: string, registration: Registration): Promise<Registration & { client_secret?: string }> {
  const answer = await fetch(`${adminUrl}/admin/clients`, { method: 'POST', body: JSON.stringify(registration) });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`Hydra does not register ${registration.client_id}: ${text}`);
  return JSON.parse(text) as Registration & { client_secret?: string };
}

/** A program of a page and its runtime, in a folder that finds the project's packages. */
export class RunningExample {
  private constructor(
    private readonly tree: ScratchTree,
    private readonly process: ChildProcess,
  ) {}

  /** @param files by name; the first is the program @returns after its first output */
  static async start(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>): Promise<RunningExample> {
    const tree = new ScratchTree();
    for (const [name, text] of Object.entries(files)) tree.write(name, text);
    tree.write('package.json', '{ "type": "module", "private": true }');
    const [program = ''] = Object.keys(files);
    const started = spawn(process.execPath, [join(tree.root, program)], {
      env: { ...processEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(started, 'exit').then(() => {
      throw new Error(`${program} ended instead of starting.`);
    });
    await Promise.race([once(started.stdout, 'data'), ended]);
    ended.catch(() => undefined);
    return new RunningExample(tree, started);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
    this.tree.remove();
  }
}
