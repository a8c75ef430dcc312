/** Registers the rows of the contract with Jest, and skips the rows that this leg cannot run. */
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { hasCapability, type CapabilityName } from '../../../src/hydra/versions.js';
import type { Leg, MissingLeg, UpstreamSettings } from '../../support/upstream-leg.js';
import { Scene } from './scene.js';

const START_WITHIN_MS = 180_000;
const ROW_WITHIN_MS = 180_000;
const { skip: describeSkipped } = describe;
const { skip: itSkipped } = it;

/** A need with `!` in front of it is met where the capability is missing. */
export type Need = CapabilityName | `!${CapabilityName}` | 'configurable' | 'reachesLoopback' | 'decidesRaces';
/** Settings, or what makes them before the server starts. */
type GivenSettings = UpstreamSettings | (() => Promise<UpstreamSettings>);
export type Proof = (scene: Scene) => Promise<void>;

export interface Rows {
  row(title: string, prove: Proof): void;
  /** Skips the row where the leg does not meet one of the needs. */
  rowWith(needs: readonly Need[], title: string, prove: Proof): void;
  /** Runs rows on a separate server, which is started with these settings, after `prepare`. */
  onOwnServer(title: string, settings: GivenSettings, prepare: Proof, body: (rows: Rows) => void): void;
}

export type Theme = (rows: Rows) => void;

/** Runs every theme as one `describe`, all of them on one server. */
export function runThemes(leg: Leg | MissingLeg, themes: Record<string, Theme>): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: the upstream contract on a ${leg.name} does not run, because ${leg.missing}.\n`);
    describeSkipped(`upstream contract on ${leg.name}`, () => describeThemes(rowsOn(undefined, noScene), themes));
    return;
  }
  describe(`upstream contract on ${leg.name} ${leg.version}`, () => {
    withScene(
      leg,
      {},
      async () => {},
      (rows) => describeThemes(rows, themes),
    );
  });
}

function describeThemes(rows: Rows, themes: Record<string, Theme>): void {
  for (const [title, theme] of Object.entries(themes)) describe(title, () => theme(rows));
}

function withScene(leg: Leg, settings: GivenSettings, prepare: Proof, body: (rows: Rows) => void): void {
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await Scene.open(leg, typeof settings === 'function' ? await settings() : settings);
    await prepare(scene);
  }, START_WITHIN_MS);
  afterAll(async () => scene?.close());
  body(rowsOn(leg, () => scene ?? noScene()));
}

function rowsOn(leg: Leg | undefined, scene: () => Scene): Rows {
  const rowWith = (needs: readonly Need[], title: string, prove: Proof): void => {
    const run = leg !== undefined && needs.every((need) => meets(leg, need)) ? it : itSkipped;
    run(title, () => prove(scene()), ROW_WITHIN_MS);
  };
  return {
    row: (title, prove) => rowWith([], title, prove),
    rowWith,
    onOwnServer: (title, settings, prepare, body) => {
      if (leg?.configurable !== true) return describeSkipped(title, () => body(rowsOn(undefined, noScene)));
      describe(title, () => withScene(leg, settings, prepare, body));
    },
  };
}

function meets(leg: Leg, need: Need): boolean {
  if (need === 'configurable' || need === 'reachesLoopback' || need === 'decidesRaces') return leg[need];
  if (need.startsWith('!')) return !hasCapability(leg.version, need.slice(1) as CapabilityName);
  return hasCapability(leg.version, need as CapabilityName);
}

function noScene(): never {
  throw new Error('this row has no running upstream');
}
