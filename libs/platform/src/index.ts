export { dumpDatabase, inspectBackup, loadBackup } from './adapters/backup.js';
export { findMasterKey } from './adapters/master-key.js';
export { openDatabase } from './adapters/open-database.js';
export { platformMigrations } from './adapters/platform.migrations.js';
export { AppError, unwrap } from './app-error.js';
export { AppLog } from './app-log.js';
export { Clock } from './clock.js';
export { isProvedLately, requireStepUp } from './step-up.js';
export { PlatformEnv } from './core/settings.js';
export { Database, engineOf } from './database.js';
export type { Engine, Migrations, Tx } from './database.js';
export {
  attachPrincipal,
  Caller,
  doorOf,
  EvenUnenrolled,
  isForUnenrolled,
  Public,
  Requires,
  RequiresSomewhere,
  SignedIn,
  StepUp,
  wantsStepUp,
} from './edge/doors.js';
export type { Door } from './edge/doors.js';
export { EventStreams } from './edge/event-streams.js';
export { HotStream, HotStreams } from './edge/hot-streams.js';
export { httpAdapter } from './edge/http-adapter.js';
export { listen } from './edge/listen.js';
export { BodyLimit } from './edge/route-limits.js';
export { MayBeAbsent } from './edge/validation.js';
export { Egress } from './egress.js';
export type { EgressAnswer, EgressRequest } from './egress.js';
export { EventFeed } from './event-feed.js';
export type { Append } from './event-feed.js';
export { Metrics } from './metrics.js';
export { newId } from './id.js';
export { PlatformConfig } from './platform.config.js';
export { PrincipalDirectory } from './principals.js';
export { readConfig } from './read-config.js';
export { Readiness } from './readiness.js';
export { ScheduledWork } from './scheduled-work.js';
export { SecretBox } from './secret-box.js';
export { ServerInfo } from './server-info.js';
export { ConfigError, StartError } from './start-error.js';
export { configureHttp } from './edge/http.js';
export { PlatformModule } from './platform.module.js';
