/** Describes the state of each SCIM source: its last request, the number of people and groups it has sent, and its refused requests. */
import { Inject, Injectable } from '@nestjs/common';
import { toScimSource } from '../../config/stored-sources.js';
import { ScimFaultList } from '../../accounts/scim/scim-fault-list.js';
import { ScimRequests } from '../../accounts/scim/scim-requests.js';
import { Clock } from '../../config/clock.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { hint, ok, type Finding } from '../doctor/finding.js';
import type { SourceStateAnswer } from '../wire-installation.js';

const MOST_COUNTED = 1000;
const DAY_MS = 24 * 3600 * 1000;
/** The time without a request after which a source is reported. */
const QUIET_DAYS = 3;

@Injectable()
export class ScimStates {
  constructor(
    private readonly faults: ScimFaultList,
    private readonly requests: ScimRequests,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'scim'>,
  ) {}

  list(): Promise<SourceStateAnswer[]> {
    return Promise.all(this.config.scim.map((settings) => this.#find(settings)));
  }

  /** @returns the number of refused requests, capped at 1001, and the names of their sources */
  async findRefusedRequests(): Promise<{ count: number; names: string[] }> {
    const names = this.config.scim.map(({ id, name = id }) => ({ source: toScimSource(id), name }));
    const counts = await this.faults.countRefused(names.map(({ source }) => source));
    return {
      count: Math.min(
        [...counts.values()].reduce((sum, count) => sum + count, 0),
        MOST_COUNTED + 1,
      ),
      names: names.flatMap(({ source, name }) => (counts.has(source) ? [name] : [])),
    };
  }

  async #find({ id, name = id }: ScimSettings): Promise<SourceStateAnswer> {
    const source = toScimSource(id);
    const [counts, lastAt] = await Promise.all([this.faults.count(source), this.requests.findLast(source)]);
    const { people, groups, offers, faults: refused } = counts;
    const findings = findScimFindings({ id, name, refused, lastAt, now: this.clock.now() });
    return {
      id,
      name,
      type: 'scim',
      state: findings.some(({ level }) => level === 'hint') ? 'hint' : 'ok',
      findings,
      scim: { last_request_at: lastAt?.toISOString() ?? null, people, groups, offers, refused },
    };
  }
}

interface SourceObservation {
  id: string;
  name: string;
  refused: number;
  lastAt: Date | null;
  now: Date;
}

export function findScimFindings({ id, name, refused, lastAt, now }: SourceObservation): Finding[] {
  const findings: Finding[] = [];
  const fix = 'In the system of the source, check the job that sends people: its address, its token and its log.';
  if (lastAt === null) findings.push(hint(`${name} has made no request yet.`, fix));
  else if (now.getTime() - lastAt.getTime() > QUIET_DAYS * DAY_MS)
    findings.push(hint(`${name} has made no request since ${lastAt.toISOString()}.`, fix));
  if (refused > 0) {
    const sentence = refused === 1 ? `1 request of ${name} was refused.` : `${refused} requests of ${name} were refused.`;
    findings.push(
      hint(sentence, `List the causes (foyer scim faults --source ${id}), and correct them in the system of the source or here.`),
    );
  }
  return findings.length > 0 ? findings : [ok(`${name} sends people, and no refused request is listed.`)];
}
