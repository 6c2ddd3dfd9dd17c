import type { Migrations } from '#platform';

/** The tables of execution, one shape for both engines. Times are milliseconds, JSON is text. */
export const executionMigrations: Migrations = {
  execution_001_workspaces: {
    async up(db) {
      await db.schema
        .createTable('workspaces')
        .addColumn('id', 'text', (col) => col.primaryKey())
        .addColumn('name', 'text', (col) => col.notNull().unique())
        .addColumn('root', 'text', (col) => col.notNull().unique())
        .addColumn('mode', 'text', (col) => col.notNull())
        .addColumn('tool_paths', 'text', (col) => col.notNull())
        .addColumn('git_identity', 'text')
        .addColumn('created_at', 'bigint', (col) => col.notNull())
        .execute();
    },
  },
  execution_002_sessions: {
    async up(db) {
      await db.schema
        .createTable('sessions')
        .addColumn('id', 'text', (col) => col.primaryKey())
        .addColumn('owner', 'text', (col) => col.notNull())
        .addColumn('owner_name', 'text', (col) => col.notNull())
        .addColumn('workspace_id', 'text', (col) => col.notNull().references('workspaces.id'))
        .addColumn('status', 'text', (col) => col.notNull())
        .addColumn('created_at', 'bigint', (col) => col.notNull())
        .addColumn('last_active_at', 'bigint', (col) => col.notNull())
        .addColumn('closed_at', 'bigint')
        .addColumn('active_run_id', 'text')
        .execute();
      await db.schema.createIndex('sessions_by_owner').on('sessions').columns(['owner', 'status']).execute();
      await db.schema.createIndex('sessions_by_activity').on('sessions').columns(['status', 'last_active_at']).execute();
      // One row per owner: the lock under which that owner's open sessions are counted.
      await db.schema
        .createTable('session_owners')
        .addColumn('owner', 'text', (col) => col.primaryKey())
        .addColumn('last_opened_at', 'bigint', (col) => col.notNull())
        .execute();
    },
  },
  execution_003_plans: {
    async up(db) {
      await db.schema
        .createTable('plans')
        .addColumn('id', 'text', (col) => col.primaryKey())
        .addColumn('session_id', 'text', (col) => col.notNull().references('sessions.id'))
        .addColumn('owner', 'text', (col) => col.notNull())
        .addColumn('status', 'text', (col) => col.notNull())
        .addColumn('expires_at', 'bigint', (col) => col.notNull())
        .addColumn('ask_id', 'text')
        .addColumn('run_id', 'text')
        .addColumn('receipt_id', 'text')
        .addColumn('waiting_key', 'text', (col) => col.unique())
        .addColumn('body', 'text', (col) => col.notNull())
        .execute();
      await db.schema.createIndex('plans_by_status').on('plans').columns(['status', 'expires_at']).execute();
      await db.schema.createIndex('plans_by_session').on('plans').columns(['session_id', 'id']).execute();
      await db.schema.createIndex('plans_by_owner').on('plans').columns(['owner', 'id']).execute();
      await db.schema.createIndex('plans_by_ask').on('plans').columns(['ask_id']).execute();
    },
  },
  execution_004_runs: {
    async up(db) {
      await db.schema
        .createTable('runs')
        .addColumn('id', 'text', (col) => col.primaryKey())
        .addColumn('plan_id', 'text', (col) => col.notNull().unique().references('plans.id')) // one run per plan, ever
        .addColumn('session_id', 'text', (col) => col.notNull())
        .addColumn('owner', 'text', (col) => col.notNull())
        .addColumn('status', 'text', (col) => col.notNull())
        .addColumn('outcome', 'text')
        .addColumn('started_at', 'bigint', (col) => col.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('exit_code', 'integer')
        .addColumn('signal', 'integer')
        .addColumn('receipt_id', 'text')
        .addColumn('lease_owner', 'text', (col) => col.notNull())
        .addColumn('started_by', 'text', (col) => col.notNull())
        .addColumn('processes', 'text', (col) => col.notNull())
        .addColumn('wish', 'text')
        .addColumn('wish_reason', 'text')
        .execute();
      await db.schema.createIndex('runs_by_status').on('runs').columns(['status', 'lease_owner']).execute();
      await db.schema
        .createTable('run_output')
        .addColumn('run_id', 'text', (col) => col.notNull())
        .addColumn('seq', 'integer', (col) => col.notNull())
        .addColumn('stream', 'text', (col) => col.notNull())
        .addColumn('text', 'text', (col) => col.notNull())
        .addColumn('at', 'bigint', (col) => col.notNull())
        .addPrimaryKeyConstraint('run_output_pk', ['run_id', 'seq'])
        .execute();
      await db.schema
        .createTable('lease_owners')
        .addColumn('id', 'text', (col) => col.primaryKey())
        .addColumn('place', 'text', (col) => col.notNull())
        .addColumn('pid', 'integer', (col) => col.notNull())
        .addColumn('process_start', 'text')
        .addColumn('heartbeat_at', 'bigint', (col) => col.notNull())
        .execute();
    },
  },
};
