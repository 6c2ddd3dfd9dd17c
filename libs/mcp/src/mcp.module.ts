import { Module } from '@nestjs/common';

/** Owns tool, resource and prompt declarations and both doors of the protocol. */
@Module({})
export class McpModule {}
