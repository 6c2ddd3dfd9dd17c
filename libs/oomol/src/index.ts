export { oomolMigrations } from './adapters/oomol.migrations.js';
export { OomolModule } from './oomol.module.js';
