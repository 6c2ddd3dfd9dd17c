export { authMigrations } from './adapters/auth.migrations.js';
export { AuthModule } from './auth.module.js';
export { FirstOwner } from './first-owner.js';
export { LocalCallers } from './local-callers.js';
export { Logins } from './logins.js';
export { People } from './people.js';
export { Tokens } from './tokens.js';
