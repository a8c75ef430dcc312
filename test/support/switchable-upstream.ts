/** The embedded upstream as a server that can be stopped and started again at the same address with the same data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGatewayUrls } from '../../embedded/upstream/gateway-urls.js';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';

export interface UpstreamPlan {
  publicPort: number;
  adminPort: number;
  /** The origin of the gateway, as browsers see it. */
  origin: string;
}

export class SwitchableUpstream {
  #running: { close(): Promise<void> } | undefined;

  private constructor(
    private readonly plan: UpstreamPlan,
    private readonly dataDir: string,
  ) {}

  /** Creates a running upstream. */
  static async make(plan: UpstreamPlan): Promise<SwitchableUpstream> {
    const upstream = new SwitchableUpstream(plan, await mkdtemp(join(tmpdir(), 'foyer-upstream-')));
    await upstream.switchOn();
    return upstream;
  }

  get publicUrl(): string {
    return `http://localhost:${this.plan.publicPort}`;
  }

  get adminUrl(): string {
    return `http://localhost:${this.plan.adminPort}`;
  }

  async switchOn(): Promise<void> {
    const { publicPort, adminPort, origin } = this.plan;
    this.#running = await startUpstream({
      host: 'localhost',
      publicPort,
      adminPort,
      urls: buildGatewayUrls(origin),
      dataDir: this.dataDir,
      secret: 'replica-stories-only-not-a-secret',
    });
  }

  async switchOff(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async remove(): Promise<void> {
    await this.switchOff();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
