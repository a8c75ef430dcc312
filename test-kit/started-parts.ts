/** The started parts of an installation. They stop in reverse order, even if one of them fails. */
interface Closable {
  close(): Promise<unknown>;
}

export class StartedParts {
  readonly #parts: Closable[] = [];

  async add<Part extends Closable>(start: Promise<Part>): Promise<Part> {
    const part = await start;
    this.#parts.push(part);
    return part;
  }

  /** @throws the first failure, after all parts have been stopped */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const part of this.#parts.splice(0).reverse()) await part.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Runs a start; if it fails, the started parts are stopped. */
  static async startAll<Result>(start: (parts: StartedParts) => Promise<Result>): Promise<Result> {
    const parts = new StartedParts();
    try {
      return await start(parts);
    } catch (error) {
      await parts.stop().catch(() => undefined);
      throw error;
    }
  }
}
