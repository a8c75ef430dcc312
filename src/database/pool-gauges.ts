/** Reports the state of the connection pool, on demand. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Telemetry } from '../telemetry/telemetry.js';
import { Database } from './database.js';

const POOL = { 'db.client.connection.pool.name': 'foyer' } as const;

@Injectable()
export class PoolGauges implements OnModuleInit {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { telemetry, database } = this;
    telemetry.observe('db.client.connection.count', () => {
      const { usedCount, idleCount } = database.usage();
      return [
        { value: usedCount, attributes: { ...POOL, 'db.client.connection.state': 'used' as const } },
        { value: idleCount, attributes: { ...POOL, 'db.client.connection.state': 'idle' as const } },
      ];
    });
    telemetry.observe('db.client.connection.max', () => [{ value: database.usage().max, attributes: POOL }]);
    telemetry.observe('db.client.connection.pending_requests', () => [
      { value: database.usage().waitingCount, attributes: POOL },
    ]);
    telemetry.observe('foyer.database.connections.refused', () => [{ value: database.usage().refusalCount, attributes: {} }]);
  }
}
