/**
 * Finds clients at Hydra by their ids and by the beginnings of the words of their names. Hydra compares only whole names, so all names
 * are read, and cached for a minute.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { HydraPort, type ClientName } from '../../hydra/hydra.port.js';
import { findClientIdFault } from '../clients/client-rules.js';

const CACHE_MS = 60_000;
/** Parts of an address. The id is sent to Hydra as a path, and a pasted address may contain a token, which logs would keep (S-41). */
const ADDRESS_PARTS = /[/?#]/;
const SEPARATORS = /[\s\p{P}\p{S}]+/u;

@Injectable()
export class ClientNames {
  #cache: { names: Promise<ClientName[]>; atMs: number } | undefined;

  constructor(
    private readonly hydra: HydraPort,
    private readonly clock: Clock,
  ) {}

  /**
   * Finds clients by id, then by name; by id only if it contains no character that separates the parts of an address.
   * @returns at most `maxCount` clients
   * @throws an error of the port to Hydra
   */
  async find(text: string, maxCount: number): Promise<ClientName[]> {
    const [clientWithId, namedClients] = await Promise.all([
      !ADDRESS_PARTS.test(text) && findClientIdFault(text) === null ? this.hydra.getClient(text) : null,
      this.#findByName(text),
    ]);
    const clients =
      clientWithId === null ? namedClients : [clientWithId, ...namedClients.filter(({ id }) => id !== clientWithId.id)];
    return clients.slice(0, maxCount).map(({ id, name }) => ({ id, name }));
  }

  /** A name is found if each word of the text begins one of its words. */
  async #findByName(text: string): Promise<ClientName[]> {
    const words = toWords(text);
    if (words.length === 0) return [];
    const matches = ({ name }: ClientName): boolean => {
      const nameWords = toWords(name);
      return words.every((word) => nameWords.some((candidate) => candidate.startsWith(word)));
    };
    return (await this.#list()).filter(matches);
  }

  #list(): Promise<ClientName[]> {
    const nowMs = this.clock.now().getTime();
    if (this.#cache !== undefined && nowMs - this.#cache.atMs < CACHE_MS) return this.#cache.names;
    const names = this.hydra.listClientNames();
    this.#cache = { names, atMs: nowMs };
    // A failure is not cached, so that the next search tries again.
    names.catch(() => (this.#cache = undefined));
    return names;
  }
}

function toWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '');
}
