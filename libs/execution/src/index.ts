export { executionMigrations } from './adapters/execution.migrations.js';
export { ExecutionConfig, ExecutionEnv } from './execution.config.js';
export { ExecutionModule } from './execution.module.js';
export { Executor } from './ports.js';
export type { RunSignal } from './ports.js';
