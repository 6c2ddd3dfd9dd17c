import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule, authMigrations } from '#auth';
import { ExecutionModule, executionMigrations } from '#execution';
import { McpModule, mcpMigrations } from '#mcp';
import { NoticesModule, noticesMigrations } from '#notices';
import { PlatformModule } from '#platform';
import { PolicyModule, policyMigrations } from '#policy';
import { ReceiptsModule, receiptsMigrations } from '#receipts';

/** Every plane's tables; platform adds its own. */
export const MIGRATIONS = [
  mcpMigrations,
  receiptsMigrations,
  authMigrations,
  policyMigrations,
  executionMigrations,
  noticesMigrations,
] as const;

/** The whole product: every plane, and every plane's tables. */
@Module({})
export class AppModule {
  static forRoot(extraImports: DynamicModule['imports'] = []): DynamicModule {
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
        ...extraImports,
      ],
    };
  }
}
