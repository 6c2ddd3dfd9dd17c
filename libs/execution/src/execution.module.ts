import { Module } from '@nestjs/common';
import { ExecutionConfig } from './execution.config.js';

/** Owns workspaces, sessions, plans and runs. */
@Module({
  providers: [{ provide: ExecutionConfig, useFactory: () => ExecutionConfig.read() }],
  exports: [ExecutionConfig],
})
export class ExecutionModule {}
