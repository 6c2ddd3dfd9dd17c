import { Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from './clock.js';
import { openDatabase } from './adapters/open-database.js';
import { openSecretBox, readMasterKey } from './adapters/master-key.js';
import { Database, type Migrations } from './database.js';
import { EventFeed } from './event-feed.js';
import { PlatformConfig } from './platform.config.js';
import { ScheduledWork } from './scheduled-work.js';
import { SecretBox } from './secret-box.js';
import { ServerInfo } from './server-info.js';

export interface PlatformOptions {
  /** Every lib's migrations, as `[platformMigrations, …]`. */
  readonly migrations: readonly Migrations[];
}

/** What every plane stands on: settings, time, storage, events, doors and the HTTP edge. */
@Module({})
export class PlatformModule {
  static forRoot({ migrations }: PlatformOptions): DynamicModule {
    const shared = [
      { provide: PlatformConfig, useFactory: () => PlatformConfig.read() },
      { provide: Clock, useClass: SystemClock },
      {
        provide: Database,
        inject: [PlatformConfig],
        useFactory: async ({ dataDir, databaseUrl }: PlatformConfig): Promise<Database> => {
          const db = openDatabase({ dataDir, databaseUrl });
          await db.migrate(Object.assign({}, ...migrations) as Migrations);
          return db;
        },
      },
      {
        provide: SecretBox,
        inject: [PlatformConfig, Database],
        useFactory: ({ dataDir, secretKey }: PlatformConfig, db: Database) => openSecretBox(readMasterKey(dataDir, secretKey), db),
      },
      {
        provide: ServerInfo,
        inject: [Clock, PlatformConfig],
        useFactory: (clock: Clock, { version }: PlatformConfig) => new ServerInfo(clock.now(), version),
      },
      EventFeed,
      ScheduledWork,
    ];
    return { module: PlatformModule, global: true, providers: shared, exports: shared };
  }
}
