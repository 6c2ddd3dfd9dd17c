import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule, authMigrations } from '#auth';
import { ExecutionModule, executionMigrations } from '#execution';
import { McpModule, mcpMigrations } from '#mcp';
import { NoticesModule, noticesMigrations } from '#notices';
import { OomolModule, oomolMigrations } from '#oomol';
import { PlatformModule } from '#platform';
import { PolicyModule, policyMigrations } from '#policy';
import { ReceiptsModule, receiptsMigrations } from '#receipts';
import { DrivingModule, drivingMigrations, HostsModule, hostsMigrations } from '#relay';

/** Every plane's tables; platform adds its own. */
export const MIGRATIONS = [
  mcpMigrations,
  receiptsMigrations,
  authMigrations,
  policyMigrations,
  executionMigrations,
  noticesMigrations,
  hostsMigrations,
  oomolMigrations,
  drivingMigrations,
] as const;

/** The module that knows the agent hosts; tests bring hosts of their own. */
export type HostsOfApp = Parameters<typeof DrivingModule.forRoot>[0];

/** The whole product: every plane, and every plane's tables. */
@Module({})
export class AppModule {
  static forRoot(extraImports: DynamicModule['imports'] = [], hosts: HostsOfApp = HostsModule): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot({ migrations: MIGRATIONS }),
        McpModule,
        ReceiptsModule,
        AuthModule,
        PolicyModule,
        ExecutionModule,
        NoticesModule,
        OomolModule,
        DrivingModule.forRoot(hosts),
        ...extraImports,
      ],
    };
  }
}
