/** Stores the newest mails in memory, limited in number and in bytes. */
import type { Message } from './message.js';

const MAX_MESSAGES = 200;
const MAX_BYTES = 64 * 1024 * 1024;

export class MessageStore {
  /** Newest first. */
  #messages: Message[] = [];

  add(message: Message): void {
    let bytes = 0;
    this.#messages = [message, ...this.#messages].slice(0, MAX_MESSAGES).filter(({ source }, index) => {
      bytes += source.length;
      return index === 0 || bytes <= MAX_BYTES;
    });
  }

  list(): readonly Message[] {
    return this.#messages;
  }

  /** @param id of a message; `latest` means the newest, as in Mailpit */
  find(id: string): Message | null {
    return (id === 'latest' ? this.#messages[0] : this.#messages.find((message) => message.id === id)) ?? null;
  }

  /** @param ids of messages; an empty list deletes all messages */
  delete(ids: readonly string[]): void {
    this.#messages = ids.length === 0 ? [] : this.#messages.filter(({ id }) => !ids.includes(id));
  }
}
