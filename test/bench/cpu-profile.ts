/**
 * Summarizes a CPU profile: the time by file of the product (including the libraries that the file calls), the own time of packages
 * and files, and the own time of functions.
 */
import { readFileSync } from 'node:fs';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

const MAX_ROWS = 25;
const IDLE_FRAMES = ['(idle)', '(root)', '(program)'];

export function summarizeProfile(file: string): string {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = toOwners(nodes, byId);
  const sums = { owner: new Map<string, number>(), location: new Map<string, number>(), call: new Map<string, number>() };
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id)?.callFrame;
    // The messages of the probe are not work of the product.
    if (!frame || IDLE_FRAMES.includes(frame.functionName) || frame.url === 'node:inspector') continue;
    const micros = timeDeltas[index] ?? 0;
    busy += micros;
    const location = toLocation(frame);
    add(sums.owner, owners.get(id) ?? location, micros);
    add(sums.location, location, micros);
    add(sums.call, `${frame.functionName || '(anonymous)'}  ${location}:${frame.lineNumber + 1}`, micros);
  }
  const buildSection = (title: string, times: Map<string, number>): string[] => [title, ...listLongest(times, busy), ''];
  return [
    ...buildSection(`By calling file of the product (of ${Math.round(busy / 1000)} ms)`, sums.owner),
    ...buildSection('By file, own time', sums.location),
    ...buildSection('By function, own time', sums.call),
  ].join('\n');
}

/** @returns for each node the nearest calling function of the product; without one, the first frame of the stack */
function toOwners(nodes: readonly ProfileNode[], byId: ReadonlyMap<number, ProfileNode>): Map<number, string> {
  const owners = new Map<number, string>();
  const walk = (node: ProfileNode, inherited: string | null): void => {
    const { callFrame } = node;
    const isProduct = callFrame.url.includes('/dist/');
    const own = isProduct ? `${toLocation(callFrame)} ${callFrame.functionName}` : inherited;
    const shown =
      own ??
      (callFrame.functionName === '(root)' ? null : `outside of the product: ${toLocation(callFrame)} ${callFrame.functionName}`);
    if (shown !== null) owners.set(node.id, shown);
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next) walk(next, shown);
    }
  };
  const [root] = nodes;
  if (root) walk(root, null);
  return owners;
}

function toLocation({ url, functionName }: ProfileNode['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return inPackage ?? url.replace(/^.*\/dist\//, '');
}

function add(sums: Map<string, number>, key: string, micros: number): void {
  sums.set(key, (sums.get(key) ?? 0) + micros);
}

function listLongest(sums: ReadonlyMap<string, number>, busy: number): string[] {
  const sorted = [...sums].sort(([, one], [, other]) => other - one).slice(0, MAX_ROWS);
  return sorted.map(([key, micros]) => `${((micros / busy) * 100).toFixed(1).padStart(6)} %  ${key}`);
}
