export { noticesMigrations } from './adapters/notices.migrations.js';
export { NoticesModule } from './notices.module.js';
