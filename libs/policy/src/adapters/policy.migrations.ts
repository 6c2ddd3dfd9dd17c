import type { Migrations } from '#platform';
import { askMigrations } from './kysely-ask.migrations.js';
import { documentMigrations } from './policy-documents.migrations.js';

/** All tables of policy. */
export const policyMigrations: Migrations = { ...askMigrations, ...documentMigrations };
