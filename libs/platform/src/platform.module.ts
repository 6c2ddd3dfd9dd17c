import { Logger, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit, type Provider } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { openDataFolder } from './adapters/data-folder.js';
import { openSecretBox, readMasterKey } from './adapters/master-key.js';
import { prepareDatabase } from './adapters/open-database.js';
import { platformMigrations } from './adapters/platform.migrations.js';
import { UndiciEgress } from './adapters/undici-egress.js';
import { AppLog } from './app-log.js';
import { Clock, SystemClock } from './clock.js';
import { Database, type Migrations } from './database.js';
import { AppErrorFilter } from './edge/app-error.filter.js';
import { EventStreams } from './edge/event-streams.js';
import { EventsController } from './edge/events.controller.js';
import { HotStreams } from './edge/hot-streams.js';
import { OperationsController } from './edge/operations.controller.js';
import { Egress } from './egress.js';
import { EventFeed } from './event-feed.js';
import { Metrics } from './metrics.js';
import { PlatformConfig } from './platform.config.js';
import { Readiness } from './readiness.js';
import { ScheduledWork } from './scheduled-work.js';
import { SecretBox } from './secret-box.js';
import { ServerInfo } from './server-info.js';

const HOUR_MS = 3_600_000;
const EVENTS_KEPT_MS = 14 * 24 * HOUR_MS;

export interface PlatformOptions {
  /** Every lib's migrations; platform adds its own. */
  readonly migrations: readonly Migrations[];
  /** Read from the environment when absent. */
  readonly config?: PlatformConfig;
}

/** What every plane stands on: settings, time, storage, events, doors and the HTTP edge. */
@Module({})
export class PlatformModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly work: ScheduledWork,
    private readonly feed: EventFeed,
    private readonly db: Database,
  ) {}

  static forRoot({ migrations, config }: PlatformOptions): DynamicModule {
    const shared: Provider[] = [
      { provide: PlatformConfig, useFactory: () => config ?? PlatformConfig.read() },
      { provide: Clock, useClass: SystemClock },
      { provide: Database, inject: [PlatformConfig], useFactory: (config: PlatformConfig) => readyDatabase(config, migrations) },
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
      AppLog,
      { provide: Egress, useClass: UndiciEgress },
      EventFeed,
      EventStreams,
      HotStreams,
      Metrics,
      Readiness,
      ScheduledWork,
    ];
    return {
      module: PlatformModule,
      global: true,
      controllers: [EventsController, OperationsController],
      providers: [...shared, { provide: APP_FILTER, useClass: AppErrorFilter }],
      exports: shared,
    };
  }

  onModuleInit(): void {
    this.work.every(HOUR_MS, 'Forgetting old events', async () => {
      await this.feed.trim(EVENTS_KEPT_MS);
    });
  }

  /** The last thing to go: others may still write while they stop. */
  async onApplicationShutdown(): Promise<void> {
    await this.db.destroy();
  }
}

function readyDatabase({ dataDir, databaseUrl }: PlatformConfig, migrations: readonly Migrations[]): Promise<Database> {
  const log = new Logger(Database.name);
  openDataFolder(dataDir); // keys lie there on either engine
  const failed = (error: Error): void => log.warn('A database connection broke', error);
  return prepareDatabase({ dataDir, databaseUrl, failed }, Object.assign({}, platformMigrations, ...migrations) as Migrations);
}
